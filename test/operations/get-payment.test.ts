import { NotFoundError, ValidationError } from '@tillhook/sdk';
import type { Role } from '@tillhook/server/src/kit/permissions.ts';
import test from 'ava';
import { credentialHeaders } from '../support/calls/call-example.ts';
import { leaveAttemptUndecided } from '../support/money/payments.ts';
import { serverForFile } from '../support/server/tillhook.ts';
import { beginSession, createKey, signIn } from '../support/users/session.ts';

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

test('200 has the link to the checkout while it is pending, and the addresses to which the customer returns', async (t) => {
  const { client } = await server().createMerchant();
  const addresses = { callbackUrl: 'https://shop.example.com/thanks', cancelUrl: 'https://shop.example.com/cart' };
  const { data } = await client.checkout.create({ email: 'ada@example.com', amount: 500, ...addresses });
  const facts = async () => {
    const { status, checkoutUrl, callbackUrl, cancelUrl } = await client.payments.get(data.reference);
    return { status, checkoutUrl, callbackUrl, cancelUrl };
  };

  t.deepEqual(await facts(), { status: 'pending', checkoutUrl: data.checkoutUrl, ...addresses });
  t.is((await client.payments.list()).payments[0]?.checkoutUrl, data.checkoutUrl);
  await leaveAttemptUndecided(server(), data.accessCode);
  t.deepEqual(await facts(), { status: 'processing', checkoutUrl: null, ...addresses });
  await client.testHelpers.completePayment(data.reference);
  t.deepEqual(await facts(), { status: 'completed', checkoutUrl: null, ...addresses });
});

test('200 has the link for a key that may only read payments and for a merchant, and null for other users', async (t) => {
  const merchant = await server().createMerchant();
  const { data } = await merchant.client.checkout.create({ email: 'ada@example.com', amount: 500 });
  const { key } = await createKey(await signIn(server(), merchant), { scopes: ['payments:read'] });
  const path = `/api/v1/payments/${data.reference}`;
  const linkFor = async (headers: Record<string, string>) =>
    (await (await server().request(path, { headers })).json()).checkoutUrl;
  const linkForUser = async (role: Role) => {
    const { token } = await beginSession(server(), merchant, role);
    return linkFor(credentialHeaders('dashboardSession', token));
  };

  t.is(await linkFor({ authorization: `Bearer ${key}` }), data.checkoutUrl);
  t.is(await linkForUser('merchant'), data.checkoutUrl);
  t.is(await linkForUser('viewer'), null);
  t.is(await linkForUser('operator'), null);
});

test('200 tells why the operator has to decide, until the decision', async (t) => {
  const { id: merchantId, client } = await server().createMerchant();
  const { id, reference } = await server().arrange('createPaymentUnderReview', { merchantId });
  t.is((await client.payments.get(reference)).reviewReason, 'amount_mismatch');

  const operator = await signIn(server(), undefined, 'operator');
  const path = `/api/v1/dashboard/operator/payments/${id}/resolve`;
  t.is((await operator.call(path, { method: 'POST', json: { as: 'completed' } })).status, 200);

  t.is((await client.payments.get(reference)).reviewReason, null);
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
