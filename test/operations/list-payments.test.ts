import { ValidationError } from '@tillhook/sdk';
import test from 'ava';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();

test('200 lists the payments, newest first', async (t) => {
  const { client } = await server().createMerchant();
  for (const reference of ['order-1', 'order-2', 'order-3']) {
    await client.checkout.create({ email: 'ada@example.com', amount: 1, reference });
  }

  const { payments, total } = await client.payments.list();

  t.is(total, 3);
  t.deepEqual(
    payments.map(({ reference }) => reference),
    ['order-3', 'order-2', 'order-1'],
  );
});

test('200 skips offset records and returns at most limit', async (t) => {
  const { client } = await server().createMerchant();
  for (const reference of ['order-1', 'order-2', 'order-3']) {
    await client.checkout.create({ email: 'ada@example.com', amount: 1, reference });
  }

  const { payments, total } = await client.payments.list({ limit: 1, offset: 1 });

  t.is(total, 3);
  t.deepEqual(
    payments.map(({ reference }) => reference),
    ['order-2'],
  );
});

test('200 returns 20 records without a limit', async (t) => {
  const { client } = await server().createMerchant();
  await Promise.all(Array.from({ length: 21 }, () => client.checkout.create({ email: 'ada@example.com', amount: 1 })));

  const { payments, total } = await client.payments.list();

  t.is(payments.length, 20);
  t.is(total, 21);
});

test('200 filters by status, reference, customer and time', async (t) => {
  const { client } = await server().createMerchant();
  await client.checkout.create({ email: 'Ada@Example.com', amount: 1, reference: 'order-1' });
  await client.checkout.create({ email: 'grace@example.com', amount: 1, reference: 'order-2' });
  const { createdAt } = await client.payments.get('order-2');
  const references = async (filter: Parameters<typeof client.payments.list>[0]) =>
    (await client.payments.list(filter)).payments.map(({ reference }) => reference);

  t.deepEqual(await references({ status: 'completed' }), []);
  t.deepEqual(await references({ status: 'pending' }), ['order-2', 'order-1']);
  t.deepEqual(await references({ status: ['completed', 'pending'] }), ['order-2', 'order-1']);
  t.deepEqual(await references({ status: ['completed', 'failed'] }), []);
  t.deepEqual(await references({ reference: 'order-1' }), ['order-1']);
  t.deepEqual(await references({ customerEmail: 'ADA@example.com' }), ['order-1']);
  t.deepEqual(await references({ from: createdAt }), ['order-2']);
  t.deepEqual(await references({ from: createdAt.replace('Z', '+00:00') }), ['order-2']);
  t.deepEqual(await references({ to: createdAt }), ['order-1']);
  t.deepEqual(await references({ to: '2020-01-01T00:00:00Z' }), []);
  t.deepEqual(await references({ status: 'pending', customerEmail: 'grace@example.com', to: createdAt }), []);
});

test('200 filters by currency, and by amount in one currency, both ends included', async (t) => {
  const { client } = await server().createMerchant();
  for (const [reference, amount, currency] of [
    ['order-1', 100, 'NGN'],
    ['order-2', 999_999_999_999, 'NGN'],
    ['order-3', 101, 'JPY'],
  ] as const) {
    await client.checkout.create({ email: 'ada@example.com', amount, currency, reference });
  }
  const references = async (filter: Parameters<typeof client.payments.list>[0]) =>
    (await client.payments.list(filter)).payments.map(({ reference }) => reference);

  t.deepEqual(await references({ currency: 'JPY' }), ['order-3']);
  t.deepEqual(await references({ currency: 'NGN' }), ['order-2', 'order-1']);
  t.deepEqual(await references({ currency: 'EUR' }), []);
  // The merchant's currency is NGN.
  t.deepEqual(await references({ minAmount: 100 }), ['order-2', 'order-1']);
  t.deepEqual(await references({ minAmount: 101 }), ['order-2']);
  t.deepEqual(await references({ maxAmount: 101 }), ['order-1']);
  t.deepEqual(await references({ maxAmount: 99 }), []);
  t.deepEqual(await references({ minAmount: 100, currency: 'JPY' }), ['order-3']);
  t.deepEqual(await references({ minAmount: 101, maxAmount: 101, currency: 'JPY' }), ['order-3']);
  t.deepEqual(await references({ minAmount: 102, maxAmount: 101 }), []);
  t.deepEqual(await references({ minAmount: 999_999_999_999, status: 'pending' }), ['order-2']);
  t.is((await client.payments.list({ minAmount: 100, limit: 1 })).total, 2);
});

test('200 shows nothing of another merchant or the other mode', async (t) => {
  const [owner, other] = await Promise.all([server().createMerchant(), server().createMerchant()]);
  await owner.client.checkout.create({ email: 'ada@example.com', amount: 1 });

  t.is((await other.client.payments.list()).total, 0);
  t.is((await owner.liveClient.payments.list()).total, 0);
});

test('200 shows each record as getPayment does', async (t) => {
  const { client } = await server().createMerchant();
  await client.checkout.create({ email: 'ada@example.com', amount: 1, reference: 'order-1', metadata: { cart: '7' } });
  await client.testHelpers.completePayment('order-1');

  t.deepEqual((await client.payments.list({ status: 'completed' })).payments, [await client.payments.get('order-1')]);
});

const refused: [situation: string, query: string, code: string, param: string][] = [
  ['limit is zero', 'limit=0', 'invalid_parameter', 'limit'],
  ['limit is above 100', 'limit=101', 'invalid_parameter', 'limit'],
  ['limit is no number', 'limit=ten', 'invalid_parameter', 'limit'],
  ['offset is negative', 'offset=-1', 'invalid_parameter', 'offset'],
  ['a status is unknown', 'status=paid', 'invalid_parameter', 'status'],
  ['the currency is none of ISO 4217', 'currency=XYZ', 'unsupported_currency', 'currency'],
  ['the currency is in small letters', 'currency=ngn', 'invalid_parameter', 'currency'],
  ['an amount is zero', 'minAmount=0', 'invalid_parameter', 'minAmount'],
  ['an amount has decimals', 'maxAmount=10.50', 'invalid_parameter', 'maxAmount'],
  ['an amount is above all amounts', 'minAmount=1000000000000', 'invalid_parameter', 'minAmount'],
  ['from is no time', 'from=yesterday', 'invalid_parameter', 'from'],
  ['from is a day that does not exist', 'from=2026-02-30T00:00:00Z', 'invalid_parameter', 'from'],
  ['from is a leap second', 'from=2016-12-31T23:59:60Z', 'invalid_parameter', 'from'],
  ['to is before all years', 'to=0000-01-01T00:00:00Z', 'invalid_parameter', 'to'],
  ['to is after all years', 'to=9999-12-31T23:59:59-01:00', 'invalid_parameter', 'to'],
  ['a parameter is unknown', 'page=2', 'unknown_parameter', 'page'],
];

for (const [situation, query, code, param] of refused) {
  test(`400 when ${situation}`, async (t) => {
    const { client } = await server().createMerchant();
    const asked = Object.fromEntries(new URLSearchParams(query));

    const error = await t.throwsAsync(client.payments.list(asked as never), { instanceOf: ValidationError });

    t.like(error, { code, param });
  });
}
