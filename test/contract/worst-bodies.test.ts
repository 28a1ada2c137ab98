/**
 * The worst bodies of each operation, made from the contract, cost the server a bounded number of steps. Steps are calls of
 * functions, as V8 counts them, so a busy machine changes nothing. `lab/bench/worst-bodies.ts` measures the time.
 */
import { Session } from 'node:inspector/promises';
import { readContract, type Schema } from '@tillhook/openapi';
import { mostValues, tooIntricate } from '@tillhook/openapi/refusals/json-body';
import { mostParameters } from '@tillhook/openapi/refusals/shorten';
import test from 'ava';
import { callOperation, headersFor, pathOf } from '../support/calls/call-example.ts';
import { worstBodies } from '../support/calls/worst-bodies.ts';
import { serverForFile } from '../support/server/tillhook.ts';

// The server runs in the process of these tests, which counts its steps. Jobs would be counted too, so it runs none.
const server = serverForFile({ ROLE: 'api' });

const { operations } = readContract().model;
const withBody = operations.filter(({ body }) => body !== null);

/** The worst that is known takes eighteen thousand. Before there was a limit, some took a million. */
const mostSteps = 40_000;

for (const operation of withBody) {
  // A test for each, because one for all would be silent for so long that a busy machine ends it.
  test.serial(
    `the worst bodies are refused in few steps, with at most a hundred problems: ${operation.id}`,
    async (t) => {
      const headers = await headersFor(server(), operation, await server().createMerchant());
      const inspector = await startCounting();
      t.teardown(() => inspector.disconnect());
      await callOperation(server(), operation, { headers, body: '{"colour":"red"}' });
      await stepsSoFar(inspector);
      const bodies = worstBodies(operation);
      t.true(bodies.length > 15, `only ${bodies.length} bodies are tried`);
      for (const { what, text } of bodies) {
        const response = await callOperation(server(), operation, { headers, body: text });
        const steps = await stepsSoFar(inspector);

        const { error } = await response.json();
        t.true([400, 413].includes(response.status), `${what}: ${response.status}`);
        t.true(error.details.length <= 100, `${what}: ${error.details.length} problems`);
        t.true(steps <= mostSteps, `${what}: ${steps} steps`);
      }
    },
  );
}

async function startCounting(): Promise<Session> {
  const inspector = new Session();
  inspector.connect();
  await inspector.post('Profiler.enable');
  await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  return inspector;
}

/** How often functions of the server were called since this was asked last. */
async function stepsSoFar(inspector: Session): Promise<number> {
  const { result } = await inspector.post('Profiler.takePreciseCoverage');
  const functions = result.flatMap(({ url, functions: found }) => (url.startsWith(tests) ? [] : found));
  return functions.reduce((sum, { ranges: [whole] }) => sum + (whole?.count ?? 0), 0);
}

const tests = new URL('..', import.meta.url).href;

for (const operation of operations.filter(({ method }) => method === 'get')) {
  test.serial(
    `the worst queries are refused in few steps, with at most a hundred problems: ${operation.id}`,
    async (t) => {
      const headers = await headersFor(server(), operation, await server().createMerchant());
      const inspector = await startCounting();
      t.teardown(() => inspector.disconnect());
      const path = pathOf(operation);
      const lists = operation.parameters.filter(({ in: place, schema }) => place === 'query' && schema.items);
      const parts = ['%ff=%00', 'a', 'a[b][c]=1', 'limit=x', ...lists.map(({ name }) => `${name}=x`)];
      await callOperation(server(), operation, { headers, path: `${path}?colour=red` });
      for (const part of parts) {
        const query = Array.from({ length: 15_000 / (part.length + 1) }, () => part).join('&');
        await stepsSoFar(inspector);
        const response = await callOperation(server(), operation, { headers, path: `${path}?${query}` });
        const steps = await stepsSoFar(inspector);

        t.is(response.status, 400);
        t.true((await response.json()).error.details.length <= 100);
        t.true(steps <= mostSteps, `${part}: ${steps} steps`);
      }
    },
  );
}

test('every value of a request has a limit, so that the work on it has one', (t) => {
  const open = withBody.flatMap(({ id, body }) => (body ? withoutLimit(body.schema, id) : []));
  const lists = operations.flatMap(({ id, parameters }) =>
    parameters.flatMap(({ name, schema }) => withoutLimit(schema, `${id}?${name}`)),
  );

  t.deepEqual([...open, ...lists], []);
});

/** The places of values in which nothing limits how much there is. */
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
    // `shorten.ts` reads no unions.
    ...(isOpen || anyOf || oneOf || types.includes(undefined) ? [place] : []),
    ...(items ? withoutLimit(items, `${place}/0`) : []),
    ...(typeof additionalProperties === 'object' ? withoutLimit(additionalProperties, `${place}/key`) : []),
    ...Object.entries(properties).flatMap(([name, child]) => withoutLimit(child, `${place}/${name}`)),
  ];
}

test('an operation takes far fewer query parameters than are read', (t) => {
  const counts = operations.map(({ parameters }) =>
    parameters.reduce((sum, { in: place, schema }) => sum + (place === 'query' ? (schema.maxItems ?? 1) : 0), 0),
  );

  t.true(Math.max(...counts) < mostParameters / 2);
});

test('a body as large as the contract allows has far fewer values than are refused', (t) => {
  const counts = withBody.map(({ id, body }) => [id, body ? mostValuesOf(body.schema) : 0] as const);
  const [largest] = counts.toSorted(([, one], [, other]) => other - one);

  t.true((largest?.[1] ?? Infinity) < mostValues / 2, `${largest}`);
});

function mostValuesOf({
  items,
  maxItems = 0,
  properties = {},
  additionalProperties,
  maxProperties = 0,
}: Schema): number {
  const inside = Object.values(properties).reduce((sum, child) => sum + mostValuesOf(child), 0);
  const listed = items ? maxItems * mostValuesOf(items) : 0;
  const mapped = typeof additionalProperties === 'object' ? maxProperties * mostValuesOf(additionalProperties) : 0;
  return 1 + inside + listed + mapped;
}

const intricate: [what: string, text: string, isRefused: boolean][] = [
  ['as many values as are allowed', `[${Array(mostValues - 1).fill('0')}]`, false],
  ['one value more', `[${Array(mostValues).fill('0')}]`, true],
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

test('what is too long is one problem, with the length that was sent, and other fields have theirs', async (t) => {
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
