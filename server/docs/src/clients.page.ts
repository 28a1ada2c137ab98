import { type ClientGenerator, clientGenerators, clientTools } from '@tillhook/openapi/generate/client-generators';
import { fenced, markdownTable } from '../../src/kit/tables.ts';
import type { Page } from './page.ts';

export function clientsPage(publicUrl: string): Page {
  const summary = 'Generators that make a client of this API in another language, with the options that each needs.';
  return {
    path: '/clients',
    title: 'Clients in other languages',
    summary,
    markdown: `# Clients in other languages

${summary}

Each generator here was tried with this version of the contract, by \`npm run clients\` in the repository: the client compiles, and a
program with it makes a checkout of 5,000,000,000 and a registration, reads lists, every kind of event and an error, and reads a webhook. The same program
also works with a server that sends more fields and other codes, as a later version may.

Save the contract in the folder in which you run the command. Some generators know no OpenAPI 3.1, so they get the second file:

\`\`\`sh
curl -O ${publicUrl}/openapi.yaml
curl -O ${publicUrl}/openapi-3.0.json
\`\`\`

## What your program has to do

- Ignore fields that you do not know. Treat an error code that you do not know by its status. Go on when any other code is unknown to you.
  [Codes](/docs/codes) and [Errors](/docs/errors) list what is known today, and a later version may add to both. The \`status\` of a
  record is a closed list.
- Read amounts, balances and totals as integers of 64 bits. They are marked with \`int64\`.
- [Verify the signature](/docs/verifying-signatures) of a webhook over the bytes that you received. Only then read them with a model of
  the client.

## The generators

${markdownTable(
  ['Tool', 'Version', 'From'],
  Object.entries(clientTools).map(([tool, { version, from }]) => [tool, version, from]),
)}
${clientGenerators.map(generatorText).join('\n')}
## openapi-typescript

It makes types and no client. Run it with \`--default-non-nullable=false\`: without it, the fields of a request that have
a default value are required. Lists can be had as CSV too, so the type of their answer is also \`string\`: read the type of
\`application/json\`.

## Generators that are not tried each time

They were tried once, with the events of this version of the contract.

- Kotlin, openapi-generator 7.25.0, from \`openapi-3.0.json\`: the client reads every event with
  \`-g kotlin --additional-properties=serializationLibrary=gson,generateOneOfAnyOfWrappers=true\`, and also with \`kotlinx_serialization\` in
  place of \`gson\`. With \`moshi\`, which is the default, and with \`jackson\`, \`listEvents\` and \`getEvent\` throw: the classes of the
  events do not belong to \`EventRecord\`.
- PHP, openapi-generator 7.25.0, from \`openapi-3.0.json\`: the generator makes one class of all events, so \`listEvents\` and \`getEvent\`
  throw. Send \`listEventsRequest()\` yourself, decode the answer, and read each event with the class of its \`event\`, such as
  \`ObjectSerializer::deserialize($event, CheckoutFailedEventRecord::class)\`.
- Go, ogen 1.24.0, from \`openapi.yaml\`: the client needs no options and reads every event. Its hints about names of headers and about
  \`default\` answers change nothing. Its answers are one type for each status.

## A later event

\`listEvents\` may give an event that your client does not know, once a later version has one. A client that refuses it can ask for the
events that it knows: \`event=checkout.success&event=checkout.failed\`.
`,
  };
}

function generatorText({ name, tool, options, files = {}, limits }: ClientGenerator): string {
  const written = Object.entries(files).map(
    ([path, text]) =>
      `It needs the file \`${path}\`:\n\n${fenced(path.endsWith('.ts') ? 'ts' : 'text', text.trim())}\n`,
  );
  return `## ${name}

${fenced('sh', commandText(clientTools[tool].call, options))}

${written.join('\n')}
${limits.map((limit) => `- ${limit}`).join('\n')}
`;
}

export function commandText(call: readonly string[], options: readonly string[]): string {
  const quoted = options.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`));
  return [call.join(' '), ...quoted.map((word) => (word.startsWith('-') ? ` \\\n  ${word}` : ` ${word}`))].join('');
}
