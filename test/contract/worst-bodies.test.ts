/** `exhaustive/worst-bodies.test.ts` sends the worst requests of every operation. */
import { readContract, type Schema } from '@tillhook/openapi';
import { maxValues, tooIntricate } from '@tillhook/openapi/rules/json-body';
import { maxParameters } from '@tillhook/openapi/rules/shorten';
import test from 'ava';
import { server, testWorstBodies, testWorstQueries } from '../support/calls/worst-steps.ts';

const { operations } = readContract().model;
const withBody = operations.filter(({ body }) => body !== null);

// The operation with the most fields, an operation that needs no credential, and the list with the most parameters.
testWorstBodies(operations.filter(({ id }) => ['createCheckout', 'signIn'].includes(id)));
testWorstQueries(operations.filter(({ id }) => id === 'listPayments'));

test('every value of a request has a maximum size, so that the work on the value is limited', (t) => {
  const open = withBody.flatMap(({ id, body }) => (body ? withoutLimit(body.schema, id) : []));
  const lists = operations.flatMap(({ id, parameters }) =>
    parameters.flatMap(({ name, schema }) => withoutLimit(schema, `${id}?${name}`)),
  );

  t.deepEqual([...open, ...lists], []);
});

function withoutLimit(schema: Schema, place: string): string[] {
  const { items, properties = {}, additionalProperties, anyOf, oneOf } = schema;
  const types = [schema.type].flat();
  const isOpen =
    (types.includes('array') && (schema.maxItems === undefined || !items)) ||
    (types.includes('object') &&
      additionalProperties !== false &&
      (typeof additionalProperties !== 'object' || schema.maxProperties === undefined)) ||
    (types.includes('string') && !schema.enum && schema.format !== 'uuid' && schema.maxLength === undefined);
  return [
    // Unions count as unlimited, because `shorten.ts` cannot shorten their values.
    ...(isOpen || anyOf || oneOf || types.includes(undefined) ? [place] : []),
    ...(items ? withoutLimit(items, `${place}/0`) : []),
    ...(typeof additionalProperties === 'object' ? withoutLimit(additionalProperties, `${place}/key`) : []),
    ...Object.entries(properties).flatMap(([name, child]) => withoutLimit(child, `${place}/${name}`)),
  ];
}

test('the server accepts far more query parameters than any operation has', (t) => {
  const counts = operations.map(({ parameters }) =>
    parameters.reduce((sum, { in: place, schema }) => sum + (place === 'query' ? (schema.maxItems ?? 1) : 0), 0),
  );

  t.true(Math.max(...counts) < maxParameters / 2);
});

test('the number of values that the server accepts in a body is more than twice the maximum that the contract allows', (t) => {
  const counts = withBody.map(({ id, body }) => [id, body ? maxValuesOf(body.schema) : 0] as const);
  const [largest] = counts.toSorted(([, one], [, other]) => other - one);

  t.true((largest?.[1] ?? Infinity) < maxValues / 2, `${largest}`);
});

function maxValuesOf({
  items,
  maxItems = 0,
  properties = {},
  additionalProperties,
  maxProperties = 0,
}: Schema): number {
  const inside = Object.values(properties).reduce((sum, child) => sum + maxValuesOf(child), 0);
  const listed = items ? maxItems * maxValuesOf(items) : 0;
  const mapped = typeof additionalProperties === 'object' ? maxProperties * maxValuesOf(additionalProperties) : 0;
  return 1 + inside + listed + mapped;
}

const intricate: [what: string, text: string, isRefused: boolean][] = [
  ['as many values as are allowed', `[${Array(maxValues - 1).fill('0')}]`, false],
  ['one value more', `[${Array(maxValues).fill('0')}]`, true],
  ['as many levels as are allowed', `${'['.repeat(32)}${']'.repeat(32)}`, false],
  ['one level more', `${'[{"a":'.repeat(16)}[0${']'}${'}]'.repeat(16)}`, true],
  ['commas and brackets in a string', JSON.stringify({ [`${'[,{'.repeat(2000)}"\\`]: '[{,"\\'.repeat(2000) }), false],
  ['a string that does not end', `{"a":"${',['.repeat(2000)}`, false],
];

for (const [what, text, isRefused] of intricate) {
  test(`a body with ${what} is ${isRefused ? 'refused' : 'read'}`, (t) => {
    t.is(tooIntricate(Buffer.from(text)) !== null, isRefused);
  });
}

test('a value that is too long is reported as one problem that names its length, and problems of other fields are still reported', async (t) => {
  const { testKey } = await server().createMerchant();
  const items = Array(400).fill({ name: '', quantity: 'x' });
  const body = {
    amount: 'a',
    email: `${'😀'.repeat(300)}@example.com`,
    lineItems: items,
    metadata: Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`k${index}`, index])),
  };

  const response = await server().request('/api/v1/payments/checkout', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': testKey },
    body: JSON.stringify(body),
  });

  const { details } = (await response.json()).error;
  const found = details.map(({ path, message }: { path: string; message: string }) => `${path} ${message}`);
  t.deepEqual(found.sort(), [
    '/amount must be a whole number',
    '/email has 312 characters; at most 254 are allowed',
    '/lineItems has 400 items; at most 50 are allowed',
    '/metadata has 60 fields; at most 50 are allowed',
  ]);
});
