import type { ErrorBody, ModelAnswer, ModelContent, ModelExample, ModelOperation } from '@tillhook/openapi';
import { fenced, markdownTable } from '../../src/kit/tables.ts';
import { callSamples, credentialChoices, isOfSessions } from './call-samples.ts';
import type { Page } from './page.ts';
import { fieldsTable, typeText } from './schema-fields.ts';
import type { Source } from './source.ts';
import { tryForm } from './try-form.ts';

export function operationPage(source: Source, operation: ModelOperation): Page {
  const { id, method, path, summary, description } = operation;
  return {
    path: `/reference/${id}`,
    title: summary,
    summary: `${method.toUpperCase()} ${path}`,
    markdown: `# ${summary}

\`${method.toUpperCase()} ${path}\`

${description}
${circumstances(source, operation)}
${parametersText(operation)}
${bodyText(operation)}
${answersText(operation)}`,
    samples: samples(source, operation),
    trial: tryForm(source.model, operation),
    sheets: ['try'],
  };
}

function circumstances({ model }: Source, operation: ModelOperation): string {
  const { id, scope, roles, sdkMethod, deprecation } = operation;
  const choices = credentialChoices(model, operation).map((headers) => headers.map(inCode).join(' and '));
  const ofSession = isOfSessions(operation) ? ' of a `TillhookSession`' : '';
  const rows = [
    ['Authentication', choices.join(' or ') || 'none'],
    ...(scope ? [['Scope', `\`${scope}\``]] : []),
    ...(sdkMethod ? [['SDK', `\`tillhook.${sdkMethod}()\`${ofSession}`]] : []),
    ...(roles.length > 0 ? [['Roles', roles.join(', ')]] : []),
    ['Operation', `\`${id}\``],
    ...(deprecation ? [['Deprecated', deprecationText(deprecation)]] : []),
  ];
  return `\n${markdownTable(['', ''], rows)}`;
}

function inCode(text: string): string {
  return `\`${text}\``;
}

function deprecationText({ since, sunset }: NonNullable<ModelOperation['deprecation']>): string {
  return `Since ${since}. It may be missing from ${sunset} on.`;
}

function parametersText({ parameters }: ModelOperation): string {
  const rows = parameters.map(({ name, in: place, isRequired, schema, description, deprecation }) => [
    `\`${name}\`${isRequired ? ' *required*' : ''}`,
    `${place}; ${typeText(schema)}`,
    deprecation ? `${description} **Deprecated.** ${deprecationText(deprecation)}` : description,
  ]);
  return rows.length === 0 ? '' : `## Parameters\n\n${markdownTable(['Parameter', 'Where and type', 'Meaning'], rows)}`;
}

function bodyText({ body }: ModelOperation): string {
  return body ? `## Body\n\n${fieldsTable(body.schema)}` : '';
}

function answersText({ answers }: ModelOperation): string {
  const all = [...answers];
  const successes = all.filter(([status]) => status < 400);
  const failures = all.filter(([status]) => status >= 400);
  return `${successes.map(([status, answer]) => successText(status, answer)).join('\n')}
## Failures

All of them have [the same body](/docs/errors). The name in parentheses is that of an example. [The mock](/docs/mock) answers with it when the header \`Prefer\` asks for it.

${markdownTable(
  ['Status', 'When', 'Codes and examples'],
  failures.map(([status, answer]) => [String(status), answer.description, codesOf(answer)]),
)}`;
}

function successText(status: number, { description, headers, content, csv }: ModelAnswer): string {
  const rows = [...headers].map(([name, header]) => [`\`${name}\``, typeText(header.schema), header.description]);
  return `## Answer ${status}

${description}

${content ? fieldsTable(content.schema) : ''}
${csv ? csvText(csv) : ''}
${rows.length > 0 ? `### Headers of ${status}\n\n${markdownTable(['Header', 'Type', 'Meaning'], rows)}` : ''}`;
}

function csvText({ schema }: ModelContent): string {
  const rows = Object.entries(schema['x-columns'] ?? {}).map(([column, meaning]) => [`\`${column}\``, meaning]);
  return `### As CSV\n\n${schema.description ?? ''}\n\n${markdownTable(['Column', 'Meaning'], rows)}`;
}

function codesOf({ content }: ModelAnswer): string {
  const codes = [...(content?.examples.values() ?? [])].map(({ name, value }) => {
    const { error } = value as ErrorBody;
    return `\`${error.code}\` (${name})`;
  });
  return codes.join(', ');
}

function samples({ model, publicUrl }: Source, operation: ModelOperation): string {
  const [[status, answer] = []] = operation.answers;
  const [, ...otherRequests] = operation.body?.examples.values() ?? [];
  return `## Request

${callSamples(model, operation, publicUrl)}
${examplesText(`Answer example, ${status}`, [...(answer?.content?.examples.values() ?? [])])}
${examplesText('Other requests', otherRequests)}`;
}

function examplesText(title: string, examples: readonly ModelExample[]): string {
  if (examples.length === 0) return '';
  const parts = examples.map(
    ({ name, summary, value }) => `${summary} (\`${name}\`)\n\n${fenced('json', JSON.stringify(value, null, 2))}\n`,
  );
  return `## ${title}\n\n${parts.join('\n')}`;
}
