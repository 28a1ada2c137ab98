import test from 'ava';
import { Client } from 'pg';
import { eventually } from '../support/eventually.ts';
import { ledgerBreaches } from '../support/money/ledger.ts';
import {
  balancesOf,
  chargeFee,
  eventsOf,
  fundedMerchant,
  liveFundedMerchant,
  recipient,
  waitForTransfer,
} from '../support/money/transfers.ts';
import { startReceiver } from '../support/receivers/receiver.ts';
import { runTillhook } from '../support/server/command.ts';
import { serverForFile, type TestMerchant } from '../support/server/tillhook.ts';

const server = serverForFile({ PAYOUT_PROCESSOR: 'manual' });
const reference = 'payout-77';
const closed = ['--reason', 'The account is closed'];

const transfers = (...args: string[]) => runTillhook({ DATABASE_URL: server().database.url }, 'transfers', ...args);

async function begin() {
  const merchant = await liveFundedMerchant(server());
  await chargeFee(server(), merchant, 25);
  const { id } = await merchant.liveClient.transfers.create({ reference, amount: 300, recipient: recipient() });
  await processing(merchant);
  return { merchant, id };
}

const statusOf = async ({ liveClient }: TestMerchant) => (await liveClient.transfers.get(reference)).status;

const processing = (merchant: TestMerchant) => eventually(() => statusOf(merchant), 'processing');

const liveBalances = (merchant: TestMerchant) => balancesOf(server(), merchant, 'live');

test.after('the ledger keeps its invariants', async (t) => {
  t.deepEqual(await ledgerBreaches(server()), []);
});

test('a live transfer waits for the operator while its funds are reserved, and is checked again after a day', async (t) => {
  const { merchant, id } = await begin();

  t.like(await liveBalances(merchant), { transfer: 675, transfer_reserved: 325 });
  t.deepEqual(await eventsOf(server(), merchant), []);
  const wait = `select next_check_at - now() between '23 h' and '24 h' as is_a_day from transfer where id = $1`;
  t.deepEqual(await server().database.query(wait, [id]), [{ is_a_day: true }]);
});

test('a settled transfer spends the amount and the fee, and the merchant gets the event', async (t) => {
  const receiver = await startReceiver({ answer: () => ({ status: 200 }) });
  t.teardown(() => receiver.stop());
  const { merchant, id } = await begin();
  await merchant.liveClient.webhookEndpoints.register({ url: receiver.url });

  const { code, stdout, stderr } = await transfers('settle', id);

  t.is(code, 0, stderr);
  t.is(stdout, '');
  t.is(stderr, 'payout-77 is completed: Test Store gets an event that NGN 3.00 arrived.\n');
  t.like(await liveBalances(merchant), { transfer: 675, transfer_reserved: 0, payout_clearing: 300, fees: 25 });
  t.deepEqual(await eventsOf(server(), merchant), ['transfer.success completed']);
  const [delivery] = await receiver.waitFor(1);
  t.is(delivery?.headers['x-service-event'], 'transfer.success');
});

test('when a transfer fails, the amount and the fee go back to the wallet, and the transfer has the reason of the failure', async (t) => {
  const { merchant, id } = await begin();

  const { code, stdout } = await transfers('fail', id, ...closed, '--code', 'account_closed', '--json');

  t.is(code, 0);
  t.like(JSON.parse(stdout), { id, reference, status: 'failed', failureCode: 'account_closed' });
  t.like(await liveBalances(merchant), { transfer: 1000, transfer_reserved: 0 });
  t.like(await merchant.liveClient.transfers.get(reference), {
    status: 'failed',
    failureCode: 'account_closed',
    failureReason: 'The account is closed',
  });
  t.deepEqual(await eventsOf(server(), merchant), ['transfer.failed failed']);
  const { events } = await merchant.liveClient.events.list({ reference });
  t.like(events[0]?.data, { failureCode: 'account_closed', failureReason: 'The account is closed' });
});

test('when a transfer is reversed, the amount goes back to the wallet, and the fee does not', async (t) => {
  const { merchant, id } = await begin();
  const early = await transfers('reverse', id, ...closed);
  await transfers('settle', id);

  const { code, stderr } = await transfers('reverse', id, ...closed);

  t.is(code, 0, stderr);
  t.like(await liveBalances(merchant), { transfer: 975, transfer_reserved: 0, payout_clearing: 0, fees: 25 });
  t.deepEqual(await eventsOf(server(), merchant), ['transfer.success completed', 'transfer.failed reversed']);
  t.is(early.code, 1);
  t.is(early.stderr, 'Transfer payout-77 has not been settled yet: settle it or fail it\n');
});

test('settling or failing a transfer again does not change it, even if two operators do so concurrently', async (t) => {
  const { merchant, id } = await begin();

  const ends = await Promise.all([transfers('settle', id), transfers('settle', id)]);
  const failed = await transfers('fail', id, ...closed);

  t.deepEqual(ends.map(({ code }) => code).sort(), [0, 1]);
  t.deepEqual([failed.code, failed.stdout], [1, '']);
  t.is(failed.stderr, 'Transfer payout-77 is completed already\n');
  t.is(await statusOf(merchant), 'completed');
  t.like(await liveBalances(merchant), { transfer: 675, transfer_reserved: 0 });
  t.deepEqual(await eventsOf(server(), merchant), ['transfer.success completed']);
});

test('a transfer can be settled before its first check, and is not checked after the settlement', async (t) => {
  const { merchant, id } = await begin();
  const untouched = `update transfer set status = 'pending', next_check_at = now() + interval '1 hour' where id = $1`;
  await server().database.query(untouched, [id]);

  t.is((await transfers('settle', id)).code, 0);

  t.is(await statusOf(merchant), 'completed');
  const rows = await server().database.query('select next_check_at from transfer where id = $1', [id]);
  t.deepEqual(rows, [{ next_check_at: null }]);
});

test('an operator cannot settle a test transfer', async (t) => {
  const merchant = await fundedMerchant(server());
  const details = { reference, amount: 300, recipient: recipient('0000000002') };
  const { id } = await merchant.client.transfers.create(details);
  await waitForTransfer('processing', merchant, reference);

  const { code, stderr } = await transfers('settle', id);

  t.is(code, 1);
  t.is(stderr, 'Transfer payout-77 is a test transfer: the simulator decides its outcome\n');
  t.is((await merchant.client.transfers.get(reference)).status, 'processing');
});

test("the audit log shows the operator's commands to the merchant", async (t) => {
  const { merchant, id } = await begin();

  await transfers('settle', id);
  await transfers('settle', id);
  await transfers('reverse', id, ...closed);

  const acts = 'select action, mode, subject, user_email from audit_entry where merchant_id = $1 order by id';
  const act = { mode: 'live', subject: reference, user_email: null };
  t.deepEqual(await server().database.query(acts, [merchant.id]), [
    { action: 'settleTransfer', ...act },
    { action: 'reverseTransfer', ...act },
  ]);
});

test('a command that fails a transfer wakes the workers', async (t) => {
  const { merchant, id } = await begin();
  await merchant.liveClient.webhookEndpoints.register({ url: 'http://127.0.0.1:9/webhooks' });
  const listener = new Client({ connectionString: server().database.url });
  await listener.connect();
  t.teardown(() => listener.end());
  let rings = 0;
  listener.on('notification', () => {
    rings += 1;
  });
  await listener.query('listen tillhook_delivery');

  await transfers('fail', id, ...closed);

  await t.notThrowsAsync(
    eventually(
      () => rings,
      (seen) => seen > 0,
    ),
  );
});
