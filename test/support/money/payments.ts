import type { TestMerchant, TestServer } from '../server/tillhook.ts';

/** A checkout that a customer may pay. */
export async function startCheckout({ client }: TestMerchant, reference = 'order-1042') {
  const { data } = await client.checkout.create({ email: 'ada@example.com', amount: 500_000, reference });
  return data;
}

/** A card was submitted, and whoever asked the processor has not come back. */
export async function leaveAttemptUndecided(server: TestServer, accessCode: string): Promise<void> {
  await server.arrange('leaveAttemptUndecided', { accessCode });
}

/** What a merchant's endpoints are owed, by the event's name and the number of its deliveries. */
export async function publishedEvents(server: TestServer, { id }: TestMerchant): Promise<string[]> {
  const rows = await server.database.query<{ name: string; deliveries: string }>(
    `select name, count(delivery.id) as deliveries from event left join delivery on event_id = event.id
     where event.merchant_id = $1 group by event.id order by event.id`,
    [id],
  );
  return rows.map(({ name, deliveries }) => `${name} to ${deliveries}`);
}

/** Makes a merchant's open attempts due to be asked about, as the time that they wait for would. */
export async function makeAttemptsDue(server: TestServer, { id }: TestMerchant): Promise<void> {
  await server.database.query(
    `update payment_attempt set next_check_at = now(), asked_at = null
     where outcome is null and payment_id in (select id from payment where merchant_id = $1)`,
    [id],
  );
}
