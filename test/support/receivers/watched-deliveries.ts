/** Deliveries whose states a test looks at, with receivers that answer at once or when the test says so. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startReceiver } from '@tillhook/mock/receiver';
import type { ExecutionContext } from 'ava';
import { eventually } from '../eventually.ts';
import type { TestMerchant, TestServer } from '../server/tillhook.ts';

/** The state of a merchant's deliveries, in the order in which they were made. `free` waits for a claim. */
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

export async function answering(t: ExecutionContext) {
  const receiver = await startReceiver();
  t.teardown(() => receiver.stop());
  return receiver;
}

/** A receiver that answers when the test says so. */
export async function hanging(t: ExecutionContext) {
  const open: ServerResponse[] = [];
  const receiver = createServer((_request, response) => void open.push(response));
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const release = () => {
    for (const response of open.splice(0)) response.end();
  };
  t.teardown(() => {
    receiver.closeAllConnections();
    receiver.close();
  });
  return { url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`, open, release };
}

export const becomes = (on: TestServer, merchant: TestMerchant, expected: string[]) =>
  eventually(() => stateOf(on, merchant), expected);
