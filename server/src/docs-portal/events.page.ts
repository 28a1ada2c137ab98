import type { ContractDocument } from '@tillhook/openapi';
import { markdownTable } from './markdown-table.ts';
import type { Page } from './page.ts';
import { examplesOf, jsonContent, resolve } from './resolve.ts';
import { fieldsTable, typeText } from './schema-fields.ts';

/** Every webhook of the contract: when it is sent, what is in it, and the headers that come with it. */
export function eventsPage(document: ContractDocument): Page {
  const events = Object.entries<ContractDocument>(document.webhooks).map(([name, { post }]) => ({ name, ...post }));
  const first = events[0];
  return {
    path: '/events',
    title: 'Events',
    summary: 'Every webhook that is sent: when, what is in it, and the headers that come with it.',
    markdown: `# Events

Every webhook that is sent: when, what is in it, and the headers that come with it.

A webhook is a POST of JSON to each endpoint that subscribes to its event. The body is the same on every attempt, byte for
byte. Register an endpoint with \`registerWebhookEndpoint\`, have one sent with \`sendTestEvent\`, and
[verify the signature](/docs/verifying-signatures) before you believe it.

${markdownTable(
  ['Event', 'What happened'],
  events.map(({ name, summary }) => [`\`${name}\``, summary]),
)}
## Headers of a delivery

${markdownTable(['Header', 'Type', 'Meaning'], headersOf(document, first?.parameters ?? []))}
## What to answer

${Object.values<ContractDocument>(first?.responses ?? {})[0]?.description ?? ''}
${events.map((event) => eventText(document, event)).join('\n')}`,
  };
}

function headersOf(document: ContractDocument, parameters: ContractDocument[]): string[][] {
  return parameters.map((parameter) => {
    const { name, schema, description } = resolve(document, parameter);
    return [`\`${name}\``, typeText(document, schema), description];
  });
}

function eventText(document: ContractDocument, { name, summary, description, requestBody }: ContractDocument): string {
  const content = jsonContent(document, requestBody);
  const [example] = examplesOf(document, content);
  return `## \`${name}\`

${summary}. ${description}

\`\`\`json
${JSON.stringify(example?.value, null, 2)}
\`\`\`

${fieldsTable(document, content.schema)}`;
}
