import type { ContractDocument, ContractOperation, ErrorBody } from '@tillhook/openapi';
import {
  credentialHeaders,
  curlSample,
  isOfSessions,
  parametersOf,
  requestExamples,
  sdkSample,
} from './call-sample.ts';
import { markdownTable } from './markdown-table.ts';
import type { Page } from './page.ts';
import type { PortalSource } from './portal-source.ts';
import { examplesOf, jsonContent, type NamedExample, resolve } from './resolve.ts';
import { fieldsTable, typeText } from './schema-fields.ts';

/** Everything that the contract says of one operation. */
export function operationPage(source: PortalSource, operation: ContractOperation): Page {
  const { document } = source;
  const { id, method, path, definition } = operation;
  return {
    path: `/reference/${id}`,
    title: definition.summary,
    summary: `${method.toUpperCase()} ${path}`,
    markdown: `# ${definition.summary}

\`${method.toUpperCase()} ${path}\`

${definition.description}
${circumstances(document, operation)}
${parameters(document, operation)}
${body(document, definition)}
${answers(document, definition)}`,
    samples: samples(source, operation),
  };
}

function circumstances(document: ContractDocument, operation: ContractOperation): string {
  const { definition } = operation;
  const { 'x-required-scope': scope, 'x-allowed-roles': roles, 'x-sdk-method': sdkMethod } = definition;
  const credentials = credentialHeaders(document, operation);
  const rows = [
    ['Authentication', credentials.length > 0 ? credentials.map((header) => `\`${header}\``).join(' and ') : 'none'],
    scope && ['Scope', `\`${scope}\``],
    sdkMethod && [
      'SDK',
      `\`tillhook.${sdkMethod}()\`${isOfSessions(document, operation) ? ' of a `TillhookSession`' : ''}`,
    ],
    roles && ['Users', `${roles.join(', ')}`],
    ['Operation', `\`${operation.id}\``],
  ];
  return `\n${markdownTable(['', ''], rows.filter(Boolean))}`;
}

function parameters(document: ContractDocument, operation: ContractOperation): string {
  const rows = parametersOf(document, operation).map((parameter) => [
    `\`${parameter.name}\`${parameter.required ? ' *required*' : ''}`,
    `${parameter.in}; ${typeText(document, parameter.schema)}`,
    parameter.description,
  ]);
  return rows.length === 0 ? '' : `## Parameters\n\n${markdownTable(['Parameter', 'Where and type', 'Meaning'], rows)}`;
}

function body(document: ContractDocument, { requestBody }: ContractDocument): string {
  const { schema } = jsonContent(document, requestBody);
  return schema ? `## Body\n\n${fieldsTable(document, schema)}` : '';
}

function answers(document: ContractDocument, { responses }: ContractDocument): string {
  const all = Object.entries<ContractDocument>(responses).map(([status, response]) => ({
    status,
    response: resolve(document, response),
  }));
  const successes = all.filter(({ status }) => status < '400');
  const failures = all.filter(({ status }) => status >= '400');
  return `${successes.map(({ status, response }) => success(document, status, response)).join('\n')}
## Failures

Each has [the one body of errors](/docs/errors). In parentheses stands the example that [the mock](/docs/mock) gives when \`Prefer\` asks for it.

${markdownTable(
  ['Status', 'When', 'Codes and examples'],
  failures.map(({ status, response }) => failure(document, status, response)),
)}`;
}

function success(document: ContractDocument, status: string, response: ContractDocument): string {
  const { schema } = jsonContent(document, response);
  const headers = Object.entries<ContractDocument>(response.headers ?? {}).map(([name, header]) => {
    const { description, schema: headerSchema } = resolve(document, header);
    return [`\`${name}\``, typeText(document, headerSchema), description];
  });
  return `## Answer ${status}

${response.description}

${schema ? fieldsTable(document, schema) : ''}
${headers.length > 0 ? `### Headers of ${status}\n\n${markdownTable(['Header', 'Type', 'Meaning'], headers)}` : ''}`;
}

/** Each code with the example that shows it. */
function failure(document: ContractDocument, status: string, response: ContractDocument): string[] {
  const codes = examplesOf(document, jsonContent(document, response)).map(({ name, value }) => {
    const { error } = value as ErrorBody;
    return `\`${error.code}\` (${name})`;
  });
  return [status, response.description, codes.join(', ')];
}

function samples({ document, publicUrl }: PortalSource, operation: ContractOperation): string {
  const { definition } = operation;
  const sdk = sdkSample(document, operation);
  const [status = '', response] = Object.entries<ContractDocument>(definition.responses)[0] ?? [];
  return `## Request

${fence('sh', curlSample(document, operation, publicUrl))}
${sdk ? fence('ts', sdk) : ''}
${examplesText('Answer', examplesOf(document, jsonContent(document, response)), status)}
${examplesText('Other requests', requestExamples(document, operation).slice(1), '')}`;
}

function examplesText(title: string, examples: NamedExample[], status: string): string {
  if (examples.length === 0) return '';
  const parts = examples.map(({ name, summary, description, value }) =>
    [`${summary} (\`${name}\`)`, description, fence('json', JSON.stringify(value, null, 2))].join('\n\n'),
  );
  return `## ${title}${status && ` example, ${status}`}\n\n${parts.join('\n')}`;
}

function fence(language: string, code: string): string {
  return `\`\`\`${language}\n${code}\n\`\`\`\n`;
}
