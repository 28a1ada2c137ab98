import { type Model, namedSchema } from '@tillhook/openapi';
import { type ErrorCode, errorTable } from '../../src/kit/errors.ts';
import { markdownTable } from '../../src/kit/tables.ts';
import type { Page } from './page.ts';
import { fieldsTable } from './schema-fields.ts';

/** The `docUrl` of every error leads to this page. */
export function errorsPage(model: Model): Page {
  const meanings = namedSchema(model, 'ErrorCode')['x-extensible-enum'] as Readonly<Record<ErrorCode, string>>;
  const codes = Object.keys(meanings) as ErrorCode[];
  const [example] = model.answers.get('Unauthorized')?.content?.examples.values() ?? [];
  return {
    path: '/errors',
    title: 'Errors',
    summary: 'The body that all errors have, and each error code with what to do about it.',
    markdown: `# Errors

All errors have the same body. \`error.code\` is for programs and \`message\` is for people. \`error.details\` lists up to 100
problems with fields and parameters. \`error.docUrl\` leads to the code on this page. Give the \`requestId\` to support, who can find
the request by it.

\`\`\`json
${JSON.stringify(example?.value, null, 2)}
\`\`\`

${fieldsTable(namedSchema(model, 'ErrorResponse'))}
## Statuses and types

${statusTable(codes)}
${codes.map((code) => entry(code, meanings[code])).join('\n')}`,
  };
}

function statusTable(codes: readonly ErrorCode[]): string {
  const kinds = new Map<string, ErrorCode[]>();
  for (const code of codes) {
    const kind = errorTable[code].join(' ');
    kinds.set(kind, [...(kinds.get(kind) ?? []), code]);
  }
  const rows = [...kinds]
    .sort()
    .map(([kind, members]) => [
      ...kind.split(' ').map((part, index) => (index === 0 ? part : `\`${part}\``)),
      members.map((code) => `\`${code}\``).join(' '),
    ]);
  return markdownTable(['Status', 'Type', 'Codes'], rows);
}

function entry(code: ErrorCode, meaning: string): string {
  const [status, type] = errorTable[code];
  return `## \`${code}\`

${status} · ${type}

${meaning}
`;
}
