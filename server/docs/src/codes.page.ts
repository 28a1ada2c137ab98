import { type Model, type Schema, schemasIn } from '@tillhook/openapi';
import { markdownTable } from '../../src/kit/tables.ts';
import type { Page } from './page.ts';

export function codesPage(model: Model): Page {
  const codes = openCodes(model).filter(({ name }) => name !== 'ErrorCode');
  return {
    path: '/codes',
    title: 'Codes',
    summary: 'The codes and names in answers and events, with the meaning of each value.',
    markdown: `# Codes

The codes and names in answers and events, with the meaning of each value. A later version of the service may send values that
are not listed here, so your program must accept a value that it does not know. Show it as it is, or treat it like the usual
case. The states of a record, such as the \`status\` of a payment, are a closed list and do not grow.

The codes of errors are on [their own page](/docs/errors).

${codes.map(codeText).join('\n')}`,
  };
}

function codeText({ name, description = '', 'x-extensible-enum': meanings = {} }: Schema): string {
  const rows = Object.entries(meanings).map(([value, meaning]) => [`\`${value}\``, meaning]);
  return `## ${name}

${description}

${markdownTable(['Value', 'Meaning'], rows)}`;
}

/** Lists each extensible enum of answers and events once, sorted by name. */
function openCodes({ operations, webhooks }: Model): Schema[] {
  const answers = operations
    .filter(({ isInternal }) => !isInternal)
    .flatMap((operation) => [...operation.answers.values()].map(({ content }) => content?.schema));
  const named = new Map<string, Schema>();
  for (const schema of [...answers, ...webhooks.map(({ body }) => body.schema)]) collect(schema, named);
  return [...named.values()].sort((one, other) => String(one.name).localeCompare(String(other.name), 'en'));
}

function collect(schema: Schema | undefined, named: Map<string, Schema>): void {
  if (!schema) return;
  if (schema.name && schema['x-extensible-enum']) named.set(schema.name, schema);
  for (const child of schemasIn(schema)) collect(child, named);
}
