/** Every magic input that the mock lists gets the listed answer, and is valid by the contract. */
import './unobserved.ts';
import { startMock } from '@tillhook/mock/api';
import { type ModelOperation, readContract } from '@tillhook/openapi';
import test from 'ava';
import { credentialHeaders, pathOf, schemesOf } from '../support/calls/call-example.ts';
import { contractFetch } from '../support/calls/contract-fetch.ts';

/** Links keep the address that the examples have, so that answers are exactly the examples. */
const mock = await startMock({ publicUrl: 'http://localhost:3000' });
interface Magic {
  send: { in: 'body' | 'path' | 'query' | 'header'; field: string; value: string }[];
  status: number;
  example: string;
}

interface Told {
  id: string;
  magic: Magic[];
  records?: number;
}

const listed = ((await (await fetch(`${mock.url}/__mock`)).json()) as { operations: Told[] }).operations;
test.after.always(() => mock.stop());

const { operationById } = readContract().model;

for (const { id, magic } of listed) {
  for (const { send, status, example } of magic) {
    const sent = send.map(({ field, value }) => `${field} ${value}`).join(' and ');

    test(`${status} ${example}: ${id} with ${sent}`, async (t) => {
      const operation = operationById.get(id) as ModelOperation;

      const answer = await call(operation, { send, status, example });

      t.is(answer.status, status);
      const body = await answer.json();
      if (status >= 400) t.deepEqual(body, exampleOf(operation, status, example));
    });
  }
}

test('there are magic inputs for the failures that a payment page must handle', (t) => {
  const answers = listed.flatMap(({ id, magic }) => magic.map(({ status, example }) => `${id} ${status} ${example}`));

  for (const answer of [
    'createCheckout 409 duplicateReference',
    'createCheckout 429 merchant',
    'createCheckout 500 internal',
    'createTransfer 422 insufficientFunds',
    'createTransfer 422 invalidRecipient',
    'getPayment 404 notFound',
    'getPayment 200 declined',
  ]) {
    t.true(answers.includes(answer), answer);
  }
});

test('every paged list has enough records for three pages, and that of refunds for two', (t) => {
  t.deepEqual(
    listed.filter(({ records }) => records !== undefined).map(({ id, records }) => [id, records]),
    [
      'listPayments',
      'listRefunds',
      'listDeliveries',
      'listEvents',
      'listTransfers',
      'listWalletEntries',
      'listAuditEntries',
    ].map((id) => [id, id === 'listRefunds' ? 27 : 45]),
  );
});

function call(operation: ModelOperation, { send }: Magic) {
  const valuesIn = (place: string) => send.filter((one) => one.in === place).map(({ field, value }) => [field, value]);
  const query = new URLSearchParams(valuesIn('query') as [string, string][]);
  const [scheme] = schemesOf(operation);
  const body = bodyWith(operation, valuesIn('body') as [string, unknown][]);
  return contractFetch(`${mock.url}${pathOf(operation, Object.fromEntries(valuesIn('path')))}?${query}`, {
    method: operation.method.toUpperCase(),
    headers: {
      ...(scheme && credentialHeaders(scheme, 'sk_test_mock')),
      ...(body && { 'content-type': 'application/json' }),
      ...Object.fromEntries(valuesIn('header')),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
}

/** The first example of the body, with these fields replaced. */
function bodyWith({ body: content }: ModelOperation, fields: [string, unknown][]): Json | undefined {
  const [first] = content?.examples.values() ?? [];
  if (!first) return undefined;
  const body = structuredClone(first.value) as Json;
  for (const [field, value] of fields) put(body, field.split('.'), value);
  return body;
}

type Json = Record<string, unknown>;

function put(target: Json, [key = '', ...rest]: string[], value: unknown): void {
  if (rest.length === 0) target[key] = value;
  else {
    target[key] ??= /^\d+$/.test(rest[0] ?? '') ? [] : {};
    put(target[key] as Json, rest, value);
  }
}

function exampleOf({ answers }: ModelOperation, status: number, example: string): unknown {
  return answers.get(status)?.content?.examples.get(example)?.value;
}
