import type { TestMerchant, TestServer } from '../server/tillhook.ts';
import { reasonOfEvent } from './ledger.ts';

export async function startCheckout({ client }: TestMerchant, reference = 'order-1042') {
  const { data } = await client.checkout.create({ email: 'ada@example.com', amount: 500_000, reference });
  return data;
}

/** Leaves the attempt open, as if the process had died while it waited for the processor. */
export async function leaveAttemptUndecided(server: TestServer, accessCode: string): Promise<void> {
  await server.arrange('leaveAttemptUndecided', { accessCode });
}

/** `checkout.expired cancelled to 1`: the event, its optional reason, and the number of its deliveries. */
export async function publishedEvents(server: TestServer, { id }: TestMerchant): Promise<string[]> {
  const rows = await server.database.query<{ line: string }>(
    `select concat_ws(' ', name, ${reasonOfEvent}, 'to', count(delivery.id)) as line from event left join delivery on event_id = event.id
     where event.merchant_id = $1 group by event.id, name, body order by event.id`,
    [id],
  );
  return rows.map(({ line }) => line);
}

export async function makeAttemptsDue(server: TestServer, { id }: TestMerchant): Promise<void> {
  await server.database.query(
    `update payment_attempt set next_check_at = now(), asked_at = null
     where outcome is null and payment_id in (select id from payment where merchant_id = $1)`,
    [id],
  );
}
