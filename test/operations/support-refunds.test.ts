import test from 'ava';
import { serverWithoutWorker, type TestMerchant } from '../support/server/tillhook.ts';
import { type SignedIn, signIn } from '../support/users/session.ts';

/** Runs no jobs, so that refunds stay pending. */
const server = serverWithoutWorker();

async function merchantWithLimit(supportRefundLimit: number | null) {
  const merchant = await server().createMerchant();
  const { call } = await signIn(server(), merchant);
  await call('/api/v1/dashboard/settings', { method: 'PATCH', json: { supportRefundLimit } });
  return merchant;
}

async function pay({ client }: TestMerchant, reference: string, currency = 'NGN') {
  await client.checkout.create({ email: 'ada@example.com', amount: 1000, currency, reference });
  await client.testHelpers.completePayment(reference);
}

async function refund({ call }: SignedIn, order: string, amount: number) {
  const response = await call(`/api/v1/payments/${order}/refunds`, { method: 'POST', json: { amount } });
  const { error, message } = await response.json();
  return [response.status, error?.code ?? null, message ?? null];
}

const refused = (message: string) => [422, 'refund_limit_reached', message];
const inAll = 'Your role may refund NGN 5.00 in 24 hours, and';

test('createRefund 422 when a support member would refund more than the limit in 24 hours', async (t) => {
  const merchant = await merchantWithLimit(500);
  await pay(merchant, 'order-1');
  const [sam, sue] = [await signIn(server(), merchant, 'support'), await signIn(server(), merchant, 'support')];

  t.deepEqual(await refund(sam, 'order-1', 501), refused(`${inAll} NGN 5.00 is left`));
  t.deepEqual(await refund(sam, 'order-1', 400), [201, null, null]);
  t.deepEqual(await refund(sam, 'order-1', 101), refused(`${inAll} NGN 1.00 is left`));
  t.deepEqual(await refund(sam, 'order-1', 100), [201, null, null]);
  t.deepEqual(await refund(sam, 'order-1', 1), refused(`${inAll} nothing is left`));
  t.deepEqual(await refund(sue, 'order-1', 1), [201, null, null]);

  await server().database.query(
    `update audit_entry set created_at = now() - interval '25 hours' where user_email = $1`,
    [sam.email],
  );
  t.deepEqual(await refund(sam, 'order-1', 100), [201, null, null]);
});

test('createRefund 201 for a support member whose earlier refund failed, because a failed refund does not count', async (t) => {
  const merchant = await merchantWithLimit(500);
  await pay(merchant, 'order-1');
  const sam = await signIn(server(), merchant, 'support');
  await refund(sam, 'order-1', 500);
  await server().database.query(`update refund set status = 'failed' where merchant_id = $1`, [merchant.id]);

  t.deepEqual(await refund(sam, 'order-1', 500), [201, null, null]);
});

test('two refunds of a support member at the same moment cannot exceed the limit together', async (t) => {
  const merchant = await merchantWithLimit(500);
  const orders = ['order-1', 'order-2', 'order-3', 'order-4'];
  for (const order of orders) await pay(merchant, order);
  const sam = await signIn(server(), merchant, 'support');

  const answers = await Promise.all(orders.map((order) => refund(sam, order, 300)));

  t.deepEqual(answers.map(([status]) => status).sort(), [201, 422, 422, 422]);
  t.is((await merchant.client.refunds.list()).total, 1);
});

test('createRefund 422 for a support member while the merchant has no limit, or for a payment in another currency', async (t) => {
  const [without, limited] = [await merchantWithLimit(null), await merchantWithLimit(500)];
  await pay(without, 'order-1');
  await pay(limited, 'order-1', 'USD');

  t.deepEqual(
    await refund(await signIn(server(), without, 'support'), 'order-1', 1),
    refused('Your role may make no refunds until an administrator sets a limit for it'),
  );
  t.deepEqual(
    await refund(await signIn(server(), limited, 'support'), 'order-1', 1),
    refused('Your role may refund payments in NGN only: ask an administrator to refund this one'),
  );
});

test('createRefund 201 for an administrator without any limit', async (t) => {
  const merchant = await merchantWithLimit(0);
  await pay(merchant, 'order-1');

  t.deepEqual(await refund(await signIn(server(), merchant), 'order-1', 1000), [201, null, null]);
});

test('updateSettings 400 when supportRefundLimit is negative', async (t) => {
  const { call } = await signIn(server());

  const response = await call('/api/v1/dashboard/settings', { method: 'PATCH', json: { supportRefundLimit: -1 } });

  t.is(response.status, 400);
  t.like((await response.json()).error, { code: 'invalid_parameter', param: 'supportRefundLimit' });
});
