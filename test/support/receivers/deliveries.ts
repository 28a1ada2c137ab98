import type { Receiver } from '@tillhook/mock/receiver';
import type { Tillhook } from '@tillhook/sdk';
import { newId } from '@tillhook/server/src/kit/ids.ts';
import { v7 } from 'uuid';
import { eventually } from '../eventually.ts';
import { payByForm } from '../money/hosted-page.ts';
import type { TestMerchant, TestServer } from '../server/tillhook.ts';

/** The operating system refuses connections to this URL. */
export const unreachableUrl = 'http://127.0.0.1:9/webhooks';

/** Returns the midnight (UTC) at which the day `days` ago began, plus `laterMs`. */
export const daysAgo = (days: number, laterMs = 0): string =>
  new Date(Math.floor(Date.now() / 86_400_000 - days) * 86_400_000 + laterMs).toISOString();

export async function payOnce(client: Tillhook): Promise<string> {
  const { data } = await client.checkout.create({ email: 'ada@example.com', amount: 500_000 });
  await payByForm(data.checkoutUrl, '4242424242424242');
  return data.reference;
}

export async function createPaidMerchant(server: TestServer, receiver: Receiver) {
  const { client } = await server.createMerchant();
  const endpoint = await client.webhookEndpoints.register({ url: receiver.url });
  const { data } = await client.checkout.create({ email: 'ada@example.com', amount: 500_000, description: 'Zoë’s ☕' });
  await payByForm(data.checkoutUrl, '4242 4242 4242 4242');
  return { client, endpoint, reference: data.reference };
}

/** `status` is the status of the delivery. */
export const attemptsOf = ({ database }: TestServer, endpointId: string) =>
  database.query<{ attempt: number; status_code: number | null; error: string | null; status: string }>(
    `select a.attempt, a.status_code, a.error, d.status from delivery d join delivery_attempt a on a.delivery_id = d.id
     where d.endpoint_id = $1 order by a.attempt`,
    [endpointId],
  );

export async function waitForDeliveries(client: Tillhook): Promise<void> {
  await eventually(async () => (await client.deliveries.list({ status: 'pending' })).total, 0);
}

interface InsertedDeliveries {
  webhookId: string;
  mode?: 'test' | 'live';
  count?: number;
  status?: 'failed' | 'skipped' | 'delivered' | 'pending';
  event?: string;
  reference?: string;
  createdAt?: string;
}

/** The default status is `failed`. A pending delivery is due in an hour. */
export async function insertDeliveries(
  { database }: TestServer,
  { id: merchantId }: TestMerchant,
  wanted: InsertedDeliveries,
): Promise<string[]> {
  const { webhookId, mode = 'test', count = 1, status = 'failed' } = wanted;
  const { event = 'checkout.success', reference = 'order-1', createdAt = new Date().toISOString() } = wanted;
  // An id contains the time at which its row was created, and lists search by this time.
  let seq = 0;
  const idOf = () => (wanted.createdAt ? v7({ msecs: Date.parse(createdAt), seq: ++seq }) : newId());
  const ids = Array.from({ length: count }, () => ({ id: idOf(), event_id: idOf() }));
  const body = `{"event":"${event}","data":${JSON.stringify(dataOf(reference))},"timestamp":"2026-11-21T10:00:00.000Z","webhookId":"`;
  await database.query(
    `with given as (select * from json_to_recordset($1) as given (id uuid, event_id uuid)),
     happened as (
       insert into event (id, merchant_id, mode, name, reference, body, created_at)
       select event_id, $2, $9, $5, $6, $7, $8 from given),
     due as (
       insert into pending_delivery (delivery_id, event_id, endpoint_id, is_retry, due_at)
       select id, event_id, $3, true, now() + interval '1 hour' from given where $4 = 'pending')
     insert into delivery (id, event_id, endpoint_id, merchant_id, mode, status, status_reason, created_at, completed_at)
     select id, event_id, $3, $2, $9, $4, case $4 when 'failed' then 'attempts_exhausted' when 'skipped' then 'endpoint_inactive' end,
       $8, case when $4 <> 'pending' then now() end from given`,
    [JSON.stringify(ids), merchantId, webhookId, status, event, reference, body, createdAt, mode],
  );
  return ids.map(({ id }) => id);
}

export async function insertFailedAttempts({ database }: TestServer, ids: readonly string[]): Promise<void> {
  await database.query(
    `with tried as (update delivery set attempt_count = 1 where id = any($1)),
     waiting as (update pending_delivery set attempt_count = 1 where delivery_id = any($1)),
     failing as (update webhook_endpoint set failing_since = now()
       where id in (select endpoint_id from delivery where id = any($1)) and failing_since is null)
     insert into delivery_attempt (id, delivery_id, attempt, started_at, duration_ms, status_code, response_truncated)
     select gen_random_uuid(), id, 1, now(), 20, 500, false from unnest($1::uuid[]) as id`,
    [ids],
  );
}

export async function makeDeliveriesDue({ database, arrange }: TestServer, webhookId: string): Promise<void> {
  await database.query('update pending_delivery set due_at = now() where endpoint_id = $1', [webhookId]);
  await arrange('ringBell', {});
}

const dataOf = (reference: string) => ({
  reference,
  amount: 500_000,
  currency: 'NGN',
  status: 'completed',
  customerEmail: 'ada@example.com',
});
