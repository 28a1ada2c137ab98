/**
 * What the contract marks as deprecated is announced in the headers of answers. Nothing is deprecated today, so the tests
 * use a changed copy of the contract.
 */
import { once } from 'node:events';
import { type ModelOperation, readContract } from '@tillhook/openapi';
import { servedTexts } from '@tillhook/openapi/served-texts';
import { createApp } from '@tillhook/server/src/app.ts';
import type { RateLimits } from '@tillhook/server/src/operation/rate-limits.ts';
import test from 'ava';
import { changedContract } from '../support/calls/changed-contract.ts';
import { serverForFile, usualSettings } from '../support/server/tillhook.ts';

const server = serverForFile(usualSettings);

const account = ['paths', '/api/v1/me', 'get'] as const;
const limit = ['components', 'parameters', 'Limit'] as const;
const { document, model } = changedContract(
  [[...account, 'deprecated'], true],
  [[...account, 'x-deprecated-since'], '2026-12-01'],
  [[...account, 'x-sunset'], '2028-02-29'],
  [[...limit, 'deprecated'], true],
  [[...limit, 'x-deprecated-since'], '2026-11-23'],
  [[...limit, 'x-sunset'], '2027-12-31'],
);

const limits: RateLimits = {
  count: async () => null,
  giveBack: async () => null,
  refuseUsedUp: () => {},
  stop: async () => {},
};

/** The headers by RFC 9745 and RFC 8594. */
const ofAccount = ['@1796083200', 'Tue, 29 Feb 2028 00:00:00 GMT'];
const ofLimit = ['@1795392000', 'Fri, 31 Dec 2027 00:00:00 GMT'];
const none = [null, null];

test('answers announce a deprecated operation, and a deprecated parameter only to callers who send it', async (t) => {
  const { context, createMerchant } = server();
  const { testKey } = await createMerchant();
  const contract = { ...readContract(), model };
  const readiness = async () => ({});
  const listening = createApp({ context, contract, readiness, limits }).listen(0, '127.0.0.1');
  t.teardown(() => listening.close());
  await once(listening, 'listening');
  const { port } = listening.address() as { port: number };
  const announced = async (path: string, key = testKey) => {
    const { status, headers } = await fetch(`http://127.0.0.1:${port}${path}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    return [status, headers.get('deprecation'), headers.get('sunset')];
  };

  t.deepEqual(await announced('/api/v1/me'), [200, ...ofAccount]);
  t.deepEqual(await announced('/api/v1/me', 'sk_test_junk'), [401, ...ofAccount]);
  t.deepEqual(await announced('/api/v1/payments?limit=5'), [200, ...ofLimit]);
  t.deepEqual(await announced('/api/v1/payments?limit=0'), [400, ...ofLimit]);
  t.deepEqual(await announced('/api/v1/payments'), [200, ...none]);
  t.deepEqual(await announced('/api/v1/nowhere'), [404, ...none]);
});

test('the answers that may announce something deprecated declare both headers, also in the served document, and no others do', (t) => {
  const announce = model.operations.filter(
    ({ id, parameters }) => id === 'getAccount' || parameters.some(({ name }) => name === 'limit'),
  );
  t.true(announce.length > 5);
  const declared = ({ operations }: typeof model) =>
    operations.flatMap(({ id, answers }) =>
      [...answers].map(([status, { headers }]) => [id, status, headers.has('Deprecation'), headers.has('Sunset')]),
    );
  const expected = (isExpected: (operation: ModelOperation) => boolean) =>
    model.operations.flatMap((operation) =>
      [...operation.answers.keys()].map((status) => [operation.id, status, ...Array(2).fill(isExpected(operation))]),
    );

  t.deepEqual(
    declared(model),
    expected((operation) => announce.includes(operation)),
  );
  t.deepEqual(
    declared(readContract().model),
    expected(() => false),
  );
  const served = servedTexts({ ...readContract(), document }, 'https://pay.example.com')
    .json()
    .split('"Sunset":');
  const announcing = announce.filter(({ isInternal }) => !isInternal).flatMap(({ answers }) => [...answers.keys()]);
  t.is(served.length - 1, announcing.length);
});

test('what is deprecated stays for a year', (t) => {
  const change = (sunset: string) => () =>
    changedContract(
      [[...account, 'deprecated'], true],
      [[...account, 'x-deprecated-since'], '2026-12-01'],
      [[...account, 'x-sunset'], sunset],
    );

  t.throws(change('2027-11-30'), { message: /x-sunset must be at least a year after/ });
  t.throws(change('next year'), { message: /x-sunset has a value/ });
  t.notThrows(change('2027-12-01'));
});
