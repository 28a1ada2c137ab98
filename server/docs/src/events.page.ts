import type { Model, ModelParameter, ModelWebhook } from '@tillhook/openapi';
import { markdownTable } from '../../src/kit/tables.ts';
import type { Page } from './page.ts';
import { fieldsTable, typeText } from './schema-fields.ts';

export function eventsPage({ webhooks }: Model): Page {
  const [first] = webhooks;
  return {
    path: '/events',
    title: 'Events',
    summary: 'All webhooks: when each is sent, what its body contains, and its headers.',
    markdown: `# Events

All webhooks: when each is sent, what its body contains, and its headers.

A webhook is a POST request with a JSON body. The service sends it to each endpoint that subscribes to the event. The body is the
same on every attempt, byte for byte. Register an endpoint with \`registerWebhookEndpoint\`, and send a webhook to it with
\`sendTestEvent\`. [Verify the signature](/docs/verifying-signatures) before you trust a webhook.

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
