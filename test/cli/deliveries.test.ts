import { startReceiver } from '@tillhook/mock/receiver';
import test, { type ExecutionContext } from 'ava';
import { daysAgo, insertDeliveries, unreachableUrl, waitForDeliveries } from '../support/receivers/deliveries.ts';
import { runTillhook } from '../support/server/command.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();
const tillhook = (...args: string[]) => runTillhook({ DATABASE_URL: server().database.url }, 'deliveries', ...args);

/** A merchant with two endpoints that missed deliveries, the second of which is paused. */
async function createMissed(t: ExecutionContext) {
  const receiver = await startReceiver({ answer: () => ({ status: 200 }) });
  t.teardown(() => receiver.stop());
  const merchant = await server().createMerchant();
  const { id: webhookId } = await merchant.client.webhookEndpoints.register({ url: receiver.url });
  const paused = await merchant.client.webhookEndpoints.register({ url: unreachableUrl });
  await merchant.client.webhookEndpoints.update(paused.id, { isActive: false });
  await insertDeliveries(server(), merchant, { webhookId, count: 3 });
  await insertDeliveries(server(), merchant, { webhookId, count: 2, status: 'skipped' });
  await insertDeliveries(server(), merchant, { webhookId, createdAt: daysAgo(9) });
  await insertDeliveries(server(), merchant, { webhookId, status: 'delivered' });
  await insertDeliveries(server(), merchant, { webhookId: paused.id, count: 4, status: 'skipped' });
  return { receiver, merchant, webhookId, paused };
}

test('a replay sends again what the endpoints of a merchant missed, once, and the audit log shows it', async (t) => {
  const { receiver, merchant, webhookId, paused } = await createMissed(t);
  const wanted = ['replay', '--mode', 'test', '--merchant', merchant.id, '--since', '2d'];

  const counted = await tillhook(...wanted, '--dry-run');
  t.regex(counted.stdout, new RegExp(`^${webhookId}  ${receiver.url} +active +5$`, 'm'));
  t.regex(counted.stdout, new RegExp(`^${paused.id}  ${unreachableUrl} +inactive +4$`, 'm'));
  t.regex(counted.stderr, /^Nothing was sent\. Without --dry-run, 5 deliveries would be sent again\.$/m);
  t.is((await merchant.client.deliveries.list({ webhookId })).total, 7);

  const { code, stderr } = await tillhook(...wanted);
  const again = await tillhook(...wanted, '--json');

  t.is(code, 0, stderr);
  t.regex(stderr, /^5 deliveries are sent again, to 1 of 2 endpoints\.$/m);
  t.regex(stderr, new RegExp(`^${unreachableUrl} is inactive, so nothing is sent to it`, 'm'));
  t.deepEqual(
    JSON.parse(again.stdout).endpoints.map(({ count }: { count: number }) => count),
    [0, 0],
  );
  await receiver.waitFor(5);
  await waitForDeliveries(merchant.client);
  t.is((await merchant.client.deliveries.list({ webhookId })).total, 12);
  const acts = 'select action, subject, mode, user_email from audit_entry where merchant_id = $1';
  t.deepEqual(await server().database.query(acts, [merchant.id]), [
    { action: 'replayDeliveries', subject: webhookId, mode: 'test', user_email: null },
  ]);
});

test('a replay of one endpoint takes only the period and the status that were asked for', async (t) => {
  const { webhookId } = await createMissed(t);
  const count = async (...more: string[]) => {
    const { stdout } = await tillhook('replay', '--endpoint', webhookId, '--dry-run', '--json', ...more);
    return JSON.parse(stdout).endpoints[0].count;
  };

  t.is(await count('--since', '20d'), 6);
  t.is(await count('--since', '20d', '--until', daysAgo(8)), 1);
  t.is(await count('--since', '20 days', '--until', '8d'), 1);
  t.is(await count('--since', '1h', '--status', 'skipped'), 2);
});

test('a replay needs an endpoint or a mode, and an endpoint that exists', async (t) => {
  const unknown = '01997c3e-6f1d-7cc0-8e0b-2f5d9a1b4c7e';

  t.is((await tillhook('replay', '--since', '2h')).code, 2);
  t.is((await tillhook('replay', '--since', '2h', '--endpoint', unknown, '--mode', 'test')).code, 2);
  t.is((await tillhook('replay', '--endpoint', unknown)).code, 2);
  t.is((await tillhook('replay', '--since', 'yesterday', '--endpoint', unknown)).code, 2);
  const missing = await tillhook('replay', '--since', '2h', '--endpoint', unknown);
  t.deepEqual([missing.code, missing.stderr], [1, `There is no webhook endpoint ${unknown}\n`]);
});

test('the list shows the deliveries of a merchant that match, the newest first', async (t) => {
  const { merchant, webhookId } = await createMissed(t);
  const of = ['list', '--mode', 'test', '--merchant', merchant.id, '--endpoint', webhookId];

  const { stdout } = await tillhook(...of, '--status', 'skipped');
  const all = await tillhook(...of, '--json');

  t.regex(stdout, /^ID +EVENT +REFERENCE +STATUS +ATTEMPTS +ADDRESS +CREATED\n/);
  t.is(stdout.match(/^[0-9a-f-]{36} {2}checkout\.success {2}order-1 +skipped /gm)?.length, 2);
  t.is(JSON.parse(all.stdout).length, 7);
  t.regex((await tillhook(...of, '--to', '2020-01-01')).stderr, /^No delivery matches\.$/m);
});
