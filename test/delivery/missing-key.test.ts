import { randomBytes } from 'node:crypto';
import type { Receiver } from '@tillhook/mock/receiver';
import { Tillhook } from '@tillhook/sdk';
import { unwrap } from '@tillhook/sdk/webhooks';
import test from 'ava';
import { eventually } from '../support/eventually.ts';
import { payOnce, waitForDeliveries } from '../support/receivers/deliveries.ts';
import { startReceiver } from '../support/receivers/receiver.ts';
import { figuresOf } from '../support/server/figures.ts';
import { loggedErrors } from '../support/server/logged-errors.ts';
import { startOwnServer, type TestServer } from '../support/server/tillhook.ts';

const newKey = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
/**
 * The lease is short, because a delivery whose attempt fails with an error is tried again after the length of a lease.
 */
const shortLease = { DELIVERY_TIMEOUT_MS: '1000', DELIVERY_CONNECT_TIMEOUT_MS: '1000', DELIVERY_LEASE_MS: '2000' };

test('while a master key is missing, the log names the key, other endpoints get their deliveries, and no delivery is lost', async (t) => {
  const [spring, autumn] = [newKey('spring'), newKey('autumn')];
  const receiver = await startReceiver();
  t.teardown(() => receiver.stop());
  const before = await startOwnServer(t, { ...shortLease, MASTER_KEYS: spring });
  const DATABASE_URL = before.database.url;
  const old = await before.createMerchant();
  const { secret } = await old.client.webhookEndpoints.register({ url: `${receiver.url}/spring` });
  await before.stop();

  const without = await startOwnServer(t, { ...shortLease, DATABASE_URL, MASTER_KEYS: autumn });
  const errors = loggedErrors(without);
  const { client } = await without.createMerchant();
  await client.webhookEndpoints.register({ url: `${receiver.url}/autumn` });
  const payment = await payOnce(clientOf(without, old.testKey));
  await payOnce(client);
  await waitForDeliveries(client);
  const unattempted = async () => (await figuresOf(without)).get('tillhook_unattempted_deliveries_total') ?? 0;
  await eventually(unattempted, (count) => count > 1);
  t.deepEqual([...new Set(errors)], ['No configured master key opens this secret (spring).']);
  t.deepEqual(paths(receiver), ['/webhooks/autumn']);
  await without.stop();

  const after = await startOwnServer(t, { ...shortLease, DATABASE_URL, MASTER_KEYS: `${autumn},${spring}` });
  await waitForDeliveries(clientOf(after, old.testKey));
  t.deepEqual(paths(receiver), ['/webhooks/autumn', '/webhooks/spring']);
  const { body, headers } = receiver.deliveries.at(-1) ?? fail();
  await t.notThrowsAsync(unwrap(body, headers, secret));
  t.like(JSON.parse(String(body)), { event: 'checkout.success', data: { reference: payment } });
});

const paths = ({ deliveries }: Receiver) => deliveries.map(({ path }) => path);

const clientOf = ({ url }: TestServer, key: string) => new Tillhook(key, { baseUrl: url });

function fail(): never {
  throw new Error('The receiver got no delivery.');
}
