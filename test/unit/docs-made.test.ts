import { changelogPage } from '@tillhook/docs/src/changelog.page.ts';
import { clientsPage, commandText } from '@tillhook/docs/src/clients.page.ts';
import { codesPage } from '@tillhook/docs/src/codes.page.ts';
import { contents } from '@tillhook/docs/src/contents.ts';
import { docsFiles, searchEntries } from '@tillhook/docs/src/docs-files.ts';
import { magicInputsTable } from '@tillhook/docs/src/insertions.ts';
import { renderMarkdown } from '@tillhook/docs/src/markdown.ts';
import { fieldsTable, typeText } from '@tillhook/docs/src/schema-fields.ts';
import { docsSource, readerDocument } from '@tillhook/docs/src/source.ts';
import { type ModelOperation, namedSchema, readContract, type Schema } from '@tillhook/openapi';
import { clientGenerators } from '@tillhook/openapi/generate/client-generators';
import { loadConfig } from '@tillhook/server';
import { createLogger } from '@tillhook/server/src/kit/logger.ts';
import { searchPages } from '@tillhook/server/src/pages/docs/built-docs.ts';
import { searchOf } from '@tillhook/server/src/pages/docs/search.ts';
import { fill, thisService } from '@tillhook/server/src/pages/docs/service-values.ts';
import { createProcessors } from '@tillhook/server/src/processors/processors.ts';
import test from 'ava';
import { changedContract } from '../support/calls/changed-contract.ts';

const contract = readContract();
const source = docsSource(contract);
const files = docsFiles(contract);
const entries = searchEntries(contents(source));

for (const [schema, text] of [
  [{ type: 'integer', minimum: 1 }, 'integer; at least 1'],
  [{ type: 'integer', maximum: 2000 }, 'integer; at most 2,000'],
  [{ type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }, 'integer; at least 0'],
  [{ type: 'string', minLength: 8 }, 'string; at least 8 characters'],
  [{ type: 'string', minLength: 1, maxLength: 80 }, 'string; 1 to 80 characters'],
  [{ type: 'array', items: {}, minItems: 1, maxItems: 16 }, 'list; 1 to 16'],
  [{ anyOf: [{ $ref: '#/components/schemas/Mode' }, { type: 'null' }] }, 'one of `Mode`, null'],
  [{ oneOf: [{ type: 'string' }, { type: 'integer' }] }, 'one of string, integer'],
] as const) {
  test(`a table of fields writes the type of a field as ${text}`, (t) => {
    t.is(typeText(readSchema(schema)), text);
  });
}

test('a table of fields has each field of a union once, with all of its types', (t) => {
  const text = fieldsTable(namedSchema(contract.model, 'EventRecord'));

  const fields = [...text.matchAll(/^\| `([\w.]+)`/gm)].map(([, field]) => field);
  t.deepEqual(fields, [...new Set(fields)]);
  t.true(
    ['event', 'data', 'data.recipientName', 'data.paymentReference', 'deliveries.failed'].every((field) =>
      fields.includes(field),
    ),
  );
  t.regex(text, /`event`[^|]*\| `"checkout.success"`, or `"checkout.failed"`, or /);
  t.regex(
    text,
    /`data\.status`[^|]*\| string; one of `pending`, `processing`, [^|]*, or string; one of [^|]*`reversed`/,
  );
});

test('the page of codes has every code that programs get, with its meaning, and no code that only the dashboard gets', (t) => {
  const { markdown } = codesPage(contract.model);

  t.deepEqual(
    [...markdown.matchAll(/^## (\w+)$/gm)].map(([, name]) => name),
    [
      'CancelledBy',
      'CardBrand',
      'DeliveryError',
      'DeliveryStatusReason',
      'EndpointDisabledReason',
      'ErrorType',
      'EventName',
      'ExpiryReason',
      'MobileOperator',
      'PaymentFailureCode',
      'PaymentLinkStatus',
      'PaymentMethodType',
      'RefundFailureCode',
      'RefundOrigin',
      'ReviewReason',
      'Scope',
      'TransferFailureCode',
      'WalletEntryType',
    ],
  );
  t.regex(markdown, /^\| `tls_failed` \| The encrypted connection failed/m);
});

test('the changelog separates changes for clients from changes for operators, and has no section without entries', (t) => {
  const version = {
    version: '0.2.0',
    date: '2026-03-04',
    summary: 'You can give money back.',
    since: '0.1.0',
    changes: [],
  };
  const pageOf = (notes: string[], operators: string[]) =>
    changelogPage([{ ...version, notes, operators }], []).markdown;

  const markdown = pageOf(['Codes are open.'], ['Run the migration.']);
  t.regex(markdown, /### What clients must know about 0\.2\.0\n\n- Codes are open\.\n/);
  t.regex(markdown, /### What operators must know about 0\.2\.0\n\n- Run the migration\.\n/);
  t.notRegex(pageOf([], ['Run the migration.']), /What clients must know/);
  t.notRegex(pageOf(['Codes are open.'], []), /What operators must know/);
});

test('the changelog lists deprecations, with their dates', (t) => {
  const deprecation = { since: '2026-12-01', sunset: '2028-01-15' };
  const [first, second] = contract.model.operations.filter(({ parameters }) => parameters.length > 0);
  const operations = [
    { ...(first as ModelOperation), deprecation },
    { ...(second as ModelOperation), parameters: second?.parameters.map((one) => ({ ...one, deprecation })) ?? [] },
  ];
  const { markdown } = changelogPage([], operations);

  const days = 'deprecated since 1 December 2026, and may be missing from 15 January 2028 on';
  t.true(markdown.includes(`- \`${first?.id}\`: ${days}`));
  t.true(markdown.includes(`- The parameter \`${second?.parameters[0]?.name}\` of \`${second?.id}\`: ${days}`));
  t.false(markdown.includes('Nothing is deprecated'));
});

test('Markdown can collapse a part of a page, and any other markup in the part is shown as text', (t) => {
  const render = (markdown: string) => String(renderMarkdown(markdown, { base: '', addressOf: () => undefined }));

  t.is(
    render('<details>\n<summary>More</summary>\n\n*a*\n\n</details>\n'),
    '<details>\n<summary>More</summary><p><em>a</em></p>\n</details>\n',
  );
  for (const markup of [
    '<details onclick="a()">\n<summary>b</summary>\n',
    '<details>\n<summary><img src=c></summary>\n',
  ]) {
    t.false(render(markup).includes('<details'), markup);
  }
});

test('the page of clients has the command, the files and the limits of each generator', (t) => {
  const { markdown } = clientsPage('https://pay.example.com');
  const names = clientGenerators.map(({ name }) => name);

  t.true(names.length >= 9);
  t.deepEqual(
    [...markdown.matchAll(/^## (\w+, .*)$/gm)].map(([, name]) => name),
    names,
  );
  for (const { options, files = {}, limits } of clientGenerators) {
    for (const word of [...options, ...Object.keys(files), ...limits]) t.true(markdown.includes(word), word);
  }
  t.true(markdown.includes('curl -O https://pay.example.com/openapi-3.0.json'));
  t.regex(markdown, /^oapi-codegen \\\n {2}-generate models,client,skip-prune \\\n/m);
});

test('a word in a command is quoted if a shell would read it differently', (t) => {
  t.is(commandText(['tool', 'run'], ['-x', 'a b', "it's", '@a/b@1.0']), "tool run \\\n  -x 'a b' 'it'\\''s' @a/b@1.0");
});

test('a page that cannot be rendered fails the build, and the message has the page and the reason', (t) => {
  const { model, publicUrl } = source;
  const withoutSchema = (operation: ModelOperation) =>
    operation.id === 'createTransfer' && operation.body
      ? { ...operation, body: { ...operation.body, schema: undefined as never } }
      : operation;
  const withoutPath = { ...model, operationById: new Map() };

  t.throws(() => contents({ publicUrl, model: { ...model, operations: model.operations.map(withoutSchema) } }), {
    message: /^The page \/docs\/reference\/createTransfer cannot be made: Cannot destructure property/,
  });
  t.throws(() => contents({ publicUrl, model: withoutPath }), {
    message:
      /^The page \/docs\/quick-start, from server\/docs\/guides\/quick-start\.md, cannot be made: A guide names the operation \w+, which the contract does not have\.$/,
  });
});

test('a value of the service is the same in Markdown as in HTML, and no placeholder is left', async (t) => {
  const render = (markdown: string) => String(renderMarkdown(markdown, { base: '', addressOf: () => undefined }));
  const publicUrl = 'https://pay.example.com/money?a=1&b=2';
  for (const settings of [{}, { RATE_LIMITS: 'off', DELIVERY_RETRY_DELAYS_MS: '1500,3600000' }]) {
    const config = loadConfig(settings);
    const processors = await createProcessors(config, createLogger('warn'));
    const service = thisService({ config, processors, publicUrl });

    const blocks = Object.values(service.values).filter((value) => typeof value !== 'string');
    for (const { markdown, html } of blocks) t.is(String(html), render(markdown));
    t.is(blocks.length, 3);
    for (const [file, text] of files) {
      const isHtml = file.endsWith('.html');
      const filled = fill(text, service, isHtml);
      t.false(/VALUE_|of-this-service/.test(filled), file);
      if (isHtml) t.false(filled.includes(publicUrl), file);
    }
  }
});

test('the documentation describes a magic input by the fields that the mock compares', (t) => {
  const text = magicInputsTable(source);

  t.regex(text, /\| `createTransfer` \| `recipient\.bankCode` = `"000"` \|/);
});

test('the documentation does not contain the mark `Choice:`', (t) => {
  const [operation, property] = [
    'Ends it. Choice: again is\nharmless.',
    'In cents. Choice:\n  the unit, Choice: `a` one.',
  ];

  t.deepEqual(readerDocument({ description: operation, properties: { description: { description: property } } }), {
    description: 'Ends it. Again is\nharmless.',
    properties: { description: { description: 'In cents. The unit, `a` one.' } },
  });
});

test('a search reads only the first six different words, and in a query of several words, two letters match only a whole word', async (t) => {
  const search = searchOf(entries);
  const letters = 'a b c d e f g h i j k l m n o p q r s t u v w x y z'.split(' ');
  const found = async (query: string) => (await search(query, 10)).found;

  t.deepEqual(await found(letters.join(' ')), []);
  // Some words begin with this letter, but no page has the letter as a word.
  t.deepEqual(await found('j'), []);
  t.deepEqual(await found('webhook Webhook WEBHOOK'), await found('webhook'));
  t.deepEqual(await found('a webhook is verified by its signature zzzzz'), await found('a webhook is verified by its'));
  // As the only word of a query, two letters also match words that begin with these letters.
  t.not((await found('si')).length, 0);
  t.deepEqual(await found('si webhook'), await found('zz webhook'));
});

test('a search says when it has ignored words or characters of the query', async (t) => {
  const search = searchOf(entries);
  const searchPage = searchPages(files.get('search.html') ?? '', search, '');
  const isCut = async (query: string) => (await search(query, 10)).isCut;
  const said = 'A search reads 100 characters and 6 different words, and left out the rest.';

  t.deepEqual(await Promise.all(['a b c d e f', 'a b '.repeat(20), 'a b c d e f g', 'a '.repeat(70)].map(isCut)), [
    false,
    false,
    true,
    true,
  ]);
  t.true((await searchPage('refund a b c d e f')).text.includes(said));
  t.false((await searchPage('refund')).text.includes(said));
});

test('the cache keeps the answers to the last hundred searches, and spaces and capitals of a search do not matter', async (t) => {
  const search = searchOf(entries);
  const searchPage = searchPages(files.get('search.html') ?? '', search, '');
  const first = await search('refund', 10);
  const second = await search('payment', 10);
  for (let index = 0; index < 98; index += 1) await search(`z${index}`, 10);

  t.is(await search(' Refund ', 10), first);
  t.not(await search('refund', 50), first);
  t.is(await search('refund', 10), first);
  t.not(await search('payment', 10), second);
  t.is(await searchPage('refund'), await searchPage('refund'));
});

test('the server does other work between two searches that arrive together', async (t) => {
  const search = searchOf(entries);
  await search('refund', 10);
  let [turns, isOver] = [0, false];
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);

  await Promise.all(Array.from({ length: 20 }, (_, index) => search(`payment ${index}`, 10)));
  isOver = true;

  t.true(turns >= 19, `${turns} turns`);
});

test('the server does other work while the first search reads the pages', async (t) => {
  const search = searchOf(entries);
  let [turns, isOver] = [0, false];
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);

  await search('refund', 10);
  isOver = true;

  t.true(turns > 10, `${turns} turns`);
});

function readSchema(schema: unknown): Schema {
  const { model } = changedContract([['components', 'schemas', 'Sample'], schema]);
  return model.schemas.get('Sample') as Schema;
}
