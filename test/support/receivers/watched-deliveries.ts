import { eventually } from '../eventually.ts';
import type { TestMerchant, TestServer } from '../server/tillhook.ts';

/** A pending delivery is `pending free` while no process has a lease on it, and otherwise `pending leased`. */
export async function stateOf({ database }: TestServer, { id }: TestMerchant): Promise<string[]> {
  const rows = await database.query<{ state: string }>(
    `select status || case when pending_delivery.delivery_id is null then '' when pending_delivery.lease is null then ' free' else ' leased' end as state
     from delivery left join pending_delivery on pending_delivery.delivery_id = delivery.id
     where merchant_id = $1 order by delivery.id`,
    [id],
  );
  return rows.map(({ state }) => state);
}

export async function merchantWith(on: TestServer, url: string) {
  const merchant = await on.createMerchant();
  const endpoint = await merchant.client.webhookEndpoints.register({ url });
  return { ...merchant, endpoint };
}

export const becomes = (on: TestServer, merchant: TestMerchant, expected: string[]) =>
  eventually(() => stateOf(on, merchant), expected);
