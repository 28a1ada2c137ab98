import { NotFoundError, ValidationError } from '@tillhook/sdk';
import test from 'ava';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();

test('200 returns the payment', async (t) => {
  const { client } = await server().createMerchant();
  const { data } = await client.checkout.create({ email: 'ada@example.com', amount: 500_000 });

  const payment = await client.payments.get(data.reference);

  t.like(payment, {
    reference: data.reference,
    status: 'pending',
    mode: 'test',
    paymentMethod: null,
    completedAt: null,
  });
});

test('400 when the reference is not valid', async (t) => {
  const { client } = await server().createMerchant();

  const error = await t.throwsAsync(client.payments.get('a b'), { instanceOf: ValidationError });

  t.like(error, { code: 'invalid_parameter', param: 'reference' });
});

test('404 when the payment does not exist', async (t) => {
  const { client } = await server().createMerchant();

  const error = await t.throwsAsync(client.payments.get('order-1042'), { instanceOf: NotFoundError });

  t.is(error?.code, 'resource_not_found');
});

test('404 when the payment belongs to another merchant', async (t) => {
  const [owner, other] = await Promise.all([server().createMerchant(), server().createMerchant()]);
  const { data } = await owner.client.checkout.create({ email: 'ada@example.com', amount: 1 });

  await t.throwsAsync(other.client.payments.get(data.reference), { instanceOf: NotFoundError });
});

test('404 when the payment belongs to the other mode', async (t) => {
  const { client, liveClient } = await server().createMerchant();
  const { data } = await client.checkout.create({ email: 'ada@example.com', amount: 1 });

  await t.throwsAsync(liveClient.payments.get(data.reference), { instanceOf: NotFoundError });
});
