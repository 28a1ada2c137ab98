/**
 * Answers have the same form if status, media type, documented headers and the types of the body's fields are the same.
 */
import './unobserved.ts';
import { type ModelOperation, type OperationId, readContract } from '@tillhook/openapi';
import test from 'ava';
import { credentialHeaders, pathOf, roleOf, schemesOf } from '../support/calls/call-example.ts';
import { contractFetch } from '../support/server/contract-fetch.ts';
import { serverForFile } from '../support/server/tillhook.ts';
import { type MockInRun, startMockInRun } from '../support/shared-fixtures.ts';
import { signIn } from '../support/users/session.ts';
import { repeated } from './repeated-values.ts';
import { type Call, successfulCalls } from './successful-calls.ts';

/** The answers must have the rate-limit headers, and no call may reach these limits. */
const server = serverForFile({
  MAIL_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'Tillhook <tillhook@example.com>',
  RATE_LIMITS: 'test:100000/10,checkout_address:1000/60,sign_in:1000/60,refused_call:100000/1',
});
let mock: MockInRun;
test.before(async () => {
  mock = await startMockInRun();
});
test.after.always(() => mock.stop());

for (const operation of readContract().model.operations) {
  test(`the mock succeeds as the server does: ${operation.id}`, async (t) => {
    const signedIn = await signIn(server(), undefined, roleOf(operation));
    const [scheme] = schemesOf(operation);
    const credential = scheme === 'dashboardSession' ? signedIn.cookie.replace(/^.*=/, '') : signedIn.merchant.testKey;
    const call = await successfulCalls[operation.id as OperationId](signedIn);
    const headers = scheme ? credentialHeaders(scheme, credential, call.mode) : {};

    const expected = await ask(server().url, operation, { ...call, headers });
    // The mock does not have the records that the test created on the server, so the path contains ids of examples.
    const onMock = { ...call, path: pathOfExample(operation) };
    const answered = await ask(mock.url, operation, { ...onMock, headers });

    t.is(expected.status, operation.successStatus, JSON.stringify(expected.body));
    t.deepEqual({ ...answered, body: undefined }, { ...expected, body: undefined });
    t.deepEqual(differencesOf(expected.body, answered.body), []);
    const again = repeated[operation.id as OperationId] ?? [];
    t.deepEqual(repeatedNames(call, expected.body), again, 'the sent values that the server repeats');
    t.deepEqual(repeatedNames(onMock, answered.body), again, 'the sent values that the mock repeats');
  });
}

function pathOfExample({ parameters }: ModelOperation): Record<string, string> {
  const inPath = parameters.filter((one) => one.in === 'path');
  return Object.fromEntries(inPath.map(({ name, example }) => [name, String(example)]));
}

async function ask(
  url: string,
  operation: ModelOperation,
  { path, query = {}, body, headers }: Call & { headers: Record<string, string> },
) {
  const search = new URLSearchParams(query);
  const response = await contractFetch(`${url}${pathOf(operation, path)}${search.size > 0 ? `?${search}` : ''}`, {
    method: operation.method.toUpperCase(),
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const documented = [...(operation.answers.get(response.status)?.headers.keys() ?? [])];
  return {
    status: response.status,
    mediaType: response.headers.get('content-type')?.split(';')[0],
    headers: documented.filter((name) => response.headers.has(name)).sort(),
    body: (await response.json()) as Json,
  };
}

type Json = { [name: string]: Json } | unknown[] | string | number | boolean | null;

/** Null matches every type, and an empty list matches any list. */
function differencesOf(expected: Json, answered: Json, at = ''): string[] {
  if (expected === null || answered === null) return [];
  if (typeOf(expected) !== typeOf(answered))
    return [`${at} is ${typeOf(expected)}, and ${typeOf(answered)} in the mock`];
  if (Array.isArray(expected) && Array.isArray(answered)) {
    const [one, other] = [expected[0], answered[0]] as Json[];
    return one === undefined || other === undefined ? [] : differencesOf(one, other, `${at}/0`);
  }
  if (typeof expected !== 'object' || isMap(at)) return [];
  const [one, other] = [expected, answered] as { [name: string]: Json }[];
  const names = new Set([...Object.keys(one ?? {}), ...Object.keys(other ?? {})]);
  return [...names].sort().flatMap((name) => {
    if (!Object.hasOwn(one ?? {}, name)) return [`${at}/${name} is in the mock alone`];
    if (!Object.hasOwn(other ?? {}, name)) return [`${at}/${name} is not in the mock`];
    return differencesOf(one?.[name] ?? null, other?.[name] ?? null, `${at}/${name}`);
  });
}

const typeOf = (value: Json) => (Array.isArray(value) ? 'a list' : typeof value);

const isMap = (at: string) => /\/(metadata|responseHeaders|headers)$/.test(at);

function repeatedNames({ path, body: sent }: Call, body: Json): string[] {
  const fields = Object.entries({ ...path, ...sent });
  return fields.filter(([name, value]) => isInAnswer(body, name, value)).map(([name]) => name);
}

function isInAnswer(body: Json, name: string, value: unknown): boolean {
  return [body, Reflect.get(Object(body), 'data')]
    .map((record) => Reflect.get(Object(record), name))
    .some((found) => JSON.stringify(found) === JSON.stringify(value));
}
