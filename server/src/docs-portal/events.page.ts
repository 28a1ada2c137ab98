import type { Model, ModelParameter, ModelWebhook } from '@tillhook/openapi';
import { markdownTable } from './markdown-table.ts';
import type { Page } from './page.ts';
import { fieldsTable, typeText } from './schema-fields.ts';

/** Every webhook of the contract: when it is sent, what is in it, and the headers that come with it. */
export function eventsPage({ webhooks }: Model): Page {
  const [first] = webhooks;
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
  webhooks.map(({ name, summary }) => [`\`${name}\``, summary]),
)}
## Headers of a delivery

${headersTable(first?.headers ?? [])}
## What to answer

${first?.expectedAnswer ?? ''}
${webhooks.map(eventText).join('\n')}`,
  };
}

function headersTable(headers: readonly ModelParameter[]): string {
  const rows = headers.map(({ name, schema, description }) => [`\`${name}\``, typeText(schema), description]);
  return markdownTable(['Header', 'Type', 'Meaning'], rows);
}

function eventText({ name, summary, description, body }: ModelWebhook): string {
  const [example] = body.examples.values();
  return `## \`${name}\`

${summary}. ${description}

\`\`\`json
${JSON.stringify(example?.value, null, 2)}
\`\`\`

${fieldsTable(body.schema)}`;
}
