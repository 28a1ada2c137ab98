/** Rules that compare several places of the contract. `openapi/redocly.yaml` has the rules for single places. */
import { fileURLToPath } from 'node:url';
import { type Model, readContract, readContractFrom, type Schema, schemasIn } from '@tillhook/openapi';
import test from 'ava';
import { isAlias, parseDocument, visit } from 'yaml';

const { model, text, document } = readContract();

function* withInner(schema: Schema, name = schema.name ?? schema.pointer): Generator<[string, Schema]> {
  yield [name, schema];
  for (const inner of schemasIn(schema)) yield* withInner(inner, inner.name ?? `${name} > ${inner.pointer}`);
}

const sent = contents(({ body, parameters }) => [body?.schema, ...parameters.map(({ schema }) => schema)]);
const answered = [
  ...contents(({ answers }) => [...answers.values()].map(({ content }) => content?.schema)),
  ...model.webhooks.flatMap(({ body }) => [...withInner(body.schema)]),
];

function contents(schemasOf: (operation: Model['operations'][number]) => (Schema | undefined)[]) {
  return model.operations
    .flatMap(schemasOf)
    .filter((schema) => schema !== undefined)
    .flatMap((schema) => [...withInner(schema)]);
}

const isObject = ({ properties }: Schema) => properties !== undefined;
const namesOf = (places: [string, Schema][]) => [...new Set(places.map(([name]) => name))];

test('schemas of request bodies forbid unknown fields, and schemas of answers and events allow them', (t) => {
  t.true(sent.length > 100 && answered.length > 1000, 'the schemas are found');

  t.deepEqual(namesOf(sent.filter(([, one]) => isObject(one) && one.additionalProperties !== false)), []);
  t.deepEqual(namesOf(answered.filter(([, one]) => isObject(one) && one.additionalProperties !== undefined)), []);
});

test('every list and text in a request has a maximum length', (t) => {
  const has = ([, { type }]: [string, Schema], kind: string) => [type].flat().includes(kind as never);
  const lists = sent.filter((place) => has(place, 'array'));
  const texts = sent.filter((place) => has(place, 'string'));
  t.true(lists.length > 10 && texts.length > 100);

  t.deepEqual(namesOf(lists.filter(([, { maxItems }]) => maxItems === undefined)), []);
  const free = ({ maxLength, enum: values, const: value }: Schema) => (maxLength ?? values ?? value) === undefined;
  t.deepEqual(namesOf(texts.filter(([, schema]) => free(schema))), []);
});

test('objects are named components, because generators invent names for inline objects', (t) => {
  t.deepEqual(namesOf([...sent, ...answered].filter(([, one]) => isObject(one) && one.name === undefined)), []);
});

test('no component has a name that generators make themselves, and no two components have the same name', (t) => {
  const { schemas, parameters, headers, answers } = model;
  const names = [schemas, parameters, headers, answers].flatMap((components) => [...components.keys()]);

  t.deepEqual(
    names.filter((name) => names.includes(`New${name}`)),
    [],
  );
  t.deepEqual(
    names.filter((name, index) => names.indexOf(name) < index),
    [],
  );
});

test('enums of codes are extensible in answers and closed in requests, and each value has a description', (t) => {
  const open = ([, one]: [string, Schema]) => one['x-extensible-enum'] !== undefined;
  t.deepEqual(namesOf(sent.filter(open)), []);
  t.deepEqual(namesOf(answered.filter((place) => open(place) && place[1].enum)), []);

  const codes = [...model.schemas].flatMap(([name, schema]) =>
    Object.entries(schema['x-extensible-enum'] ?? {}).map(([value, meaning]) => ({
      name: `${name} ${value}`,
      meaning,
    })),
  );
  t.true(codes.length > 100);
  for (const { name, meaning } of codes) t.regex(meaning, /^\p{Lu}.*[.]$/su, name);
});

test('in answers, only the enums of states and modes are closed, because they never get new values', (t) => {
  const closed = answered.filter(([, one]) => one.enum && [one.type].flat().includes('string'));

  t.deepEqual(namesOf(closed).sort(), [
    'AuditActor > /components/schemas/AuditActor/properties/type',
    'AuditEntry > /components/schemas/AuditEntry/properties/mode',
    'DeliveryStatus',
    'Mode',
    'Overview > /components/schemas/Overview/properties/interval',
    'PaymentAttempt > /components/schemas/PaymentAttempt/properties/outcome',
    'PaymentStatus',
    'RefundStatus',
    'Statistics > /components/schemas/Statistics/properties/interval',
    'Theme',
    'TransferStatus',
    'WalletKind',
  ]);
});

test('states and modes have the same values as in the released contract', (t) => {
  const released = readContractFrom(fileURLToPath(new URL('../../openapi/released/openapi.yaml', import.meta.url)));
  const names = ['DeliveryStatus', 'Mode', 'PaymentStatus', 'RefundStatus', 'TransferStatus', 'WalletKind'];
  const common = names.filter((name) => released.model.schemas.has(name));

  t.true(common.length >= 3);
  for (const name of common) {
    t.deepEqual(model.schemas.get(name)?.enum, released.model.schemas.get(name)?.enum, name);
  }
});

test('requests accept the same values as answers contain', (t) => {
  const known = (name: string) => Object.keys(model.schemas.get(name)?.['x-extensible-enum'] ?? {});
  const { items } = model.schemas.get('ApiKeyRequest')?.properties?.scopes ?? {};

  t.deepEqual(items?.enum, known('Scope'));
  t.deepEqual(model.parameters.get('EventFilter')?.schema.items?.enum, known('EventName'));
  t.deepEqual(model.schemas.get('SubscribedEvent')?.enum, [
    '*',
    ...known('EventName').filter((name) => name !== 'test.event'),
  ]);
  t.deepEqual(
    known('EventName'),
    model.webhooks.map(({ name }) => name),
  );
});

test('WebhookEvent is the union of all events, with `event` as the discriminator', (t) => {
  const { oneOf = [], discriminator } = model.schemas.get('WebhookEvent') ?? {};

  t.deepEqual(
    oneOf,
    model.webhooks.map(({ body }) => body.schema),
  );
  t.deepEqual(discriminator, {
    propertyName: 'event',
    mapping: Object.fromEntries(
      model.webhooks.map(({ name, body }) => [name, `#/components/schemas/${body.schema.name}`]),
    ),
  });
});

test('every component is used', (t) => {
  const whole = JSON.stringify(document);
  const { components } = document as { components: Record<string, object> };
  const pointers = ['schemas', 'parameters', 'headers', 'responses'].flatMap((kind) =>
    Object.keys(components[kind] ?? {}).map((name) => `#/components/${kind}/${name}`),
  );
  t.true(pointers.length > 150);

  t.deepEqual(
    pointers.filter((pointer) => !whole.includes(`"$ref":"${pointer}"`)),
    [],
  );
});

test('YAML anchors repeat only examples, because Redocly compares the value of an anchor only once', (t) => {
  const outside: string[] = [];
  let aliases = 0;
  visit(parseDocument(text), {
    Alias(_key, node, path) {
      aliases += 1;
      const keys = path.map((parent) => String(Reflect.get(parent, 'key') ?? ''));
      if (isAlias(node) && !keys.includes('examples')) outside.push(node.source);
    },
  });

  t.true(aliases > 10);
  t.deepEqual(outside, []);
});

test('a role that may search may read everything that a search finds', (t) => {
  const rolesOf = (id: string) => model.operations.find((operation) => operation.id === id)?.roles ?? [];
  const found = [
    ...['listPayments', 'listCustomers', 'listRefunds', 'listTransfers', 'listProducts', 'listPaymentLinks'],
    ...['listWebhookEndpoints', 'getEvent', 'getDelivery'],
  ];
  t.is(found.length, Object.keys(model.schemas.get('SearchKind')?.['x-extensible-enum'] ?? {}).length);
  t.true(rolesOf('searchRecords').length > 2);

  for (const id of found)
    t.deepEqual(
      rolesOf('searchRecords').filter((role) => !rolesOf(id).includes(role)),
      [],
      id,
    );
});
