/** Checkouts expire in batches. */

import { withFreshEntityManager } from '@tillhook/server/src/context.ts';
import { inTransaction } from '@tillhook/server/src/database/transaction.ts';
import { expireDuePayments } from '@tillhook/server/src/payments/checkout.service.ts';
import test from 'ava';
import { noteStatements } from '../database/noted-statements.ts';
import { addEndpoints, moneyRowsOf } from '../support/money/money-rows.ts';
import { serverForFile, type TestMerchant } from '../support/server/tillhook.ts';

// A server without a worker, which would expire the payments by itself.
const server = serverForFile({ ROLE: 'api' });

/** The name would break a body that is not escaped: it has quotes, a backslash and letters of two code units. */
const email = '"Ada \\"🏪"@example.com';

/** Adds checkouts whose time is over, every second one of live mode, and every fourth one after a decline. */
async function addDueCheckouts({ id }: TestMerchant, count: number): Promise<void> {
  await server().database.query(
    `insert into payment (id, merchant_id, mode, reference, access_code, amount, currency, status, customer_email,
       metadata, attempts, failure_code, expires_at, created_at, updated_at)
     select gen_random_uuid(), $1, case number % 2 when 0 then 'live' else 'test' end, 'order-' || number,
       gen_random_uuid(), 4500, 'NGN', 'pending', $3, '{}', 0, case number % 4 when 0 then 'card_declined' end,
       now() - interval '1 minute', now(), now()
     from generate_series(1, $2::int) as number`,
    [id, count, email],
  );
}

test('a batch sends as many statements as one checkout, and each event goes to its merchant and mode', async (t) => {
  const { database, context, createMerchant } = server();
  const noted = await noteStatements(database.url);
  t.teardown(() => noted.orm.close());
  const expireBatch = () =>
    noted.statements(() =>
      inTransaction({ ...withFreshEntityManager(context), em: noted.orm.em.fork() }, expireDuePayments),
    );
  const [one, other, withoutEndpoint] = [await createMerchant(), await createMerchant(), await createMerchant()];
  for (const merchant of [one, other]) await addEndpoints(database, merchant);

  // A new connection asks a question before its first statement.
  await expireBatch();
  await addDueCheckouts(withoutEndpoint, 1);
  const ofOne = await expireBatch();
  await addDueCheckouts(one, 8);
  await addDueCheckouts(other, 40);
  const ofMany = await expireBatch();

  t.is(ofOne.length, 2, ofOne.map(({ text }) => text).join('\n'));
  t.is(ofMany.length, 2);
  const { events, deliveries, queued } = await moneyRowsOf(database, one.id);
  t.deepEqual(
    events,
    [1, 2, 3, 4, 5, 6, 7, 8].map((number) => `order-${number} checkout.${number % 4 === 0 ? 'failed' : 'expired'}`),
  );
  const count = (line: string) => [deliveries, queued].map((lines) => lines.filter((each) => each === line).length);
  t.deepEqual(count('checkout.expired to active pending 0'), [6, 6]);
  t.deepEqual(count('checkout.failed to active pending 0'), [2, 2]);
  t.deepEqual(count('checkout.expired to inactive skipped 0 endpoint_inactive'), [6, 0]);
  t.is((await moneyRowsOf(database, other.id)).deliveries.length, 80);
  const foreign = await database.query(
    `select from delivery join event on event.id = event_id join webhook_endpoint as endpoint on endpoint.id = endpoint_id
     where (delivery.merchant_id, delivery.mode) <> (endpoint.merchant_id, endpoint.mode)
       or (event.merchant_id, event.mode) <> (endpoint.merchant_id, endpoint.mode)`,
  );
  t.is(foreign.length, 0);
  const [event] = await database.query<{ body: string; at: Date }>(
    `select body, updated_at as at from event join payment using (merchant_id, mode, reference)
     where merchant_id = $1 and reference = 'order-1'`,
    [one.id],
  );
  const address = JSON.stringify(email);
  t.is(
    event?.body,
    `{"event":"checkout.expired","data":{"reference":"order-1","amount":4500,"currency":"NGN","status":"expired",` +
      `"customerEmail":${address},"reason":"expired"},"timestamp":"${event?.at.toISOString()}","webhookId":"`,
  );
});
