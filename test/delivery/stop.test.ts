import test from 'ava';
import { eventually } from '../support/eventually.ts';
import { payOnce } from '../support/receivers/deliveries.ts';
import { startHoldingReceiver } from '../support/receivers/holding-receiver.ts';
import { startServer } from '../support/server/tillhook.ts';

test('a stopping server aborts a delivery that outlasts the grace time, hands the delivery back, and stops without an error', async (t) => {
  const server = await startServer(t, { SHUTDOWN_GRACE_MS: '100' });
  const [merchant, receiver] = [await server.createMerchant(), await startHoldingReceiver(t)];
  receiver.hold();
  await merchant.client.webhookEndpoints.register({ url: receiver.url });
  await payOnce(merchant.client);
  await eventually(() => receiver.held, 1);

  await t.notThrowsAsync(server.stop());

  t.deepEqual(await server.database.query('select lease, attempt_count from pending_delivery'), [
    { lease: null, attempt_count: 0 },
  ]);
});
