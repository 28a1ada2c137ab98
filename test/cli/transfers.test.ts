import test from 'ava';
import { fillLedger } from '../support/money/filled-ledger.ts';
import { fundedMerchant, liveFundedMerchant, recipient, waitForTransfer } from '../support/money/transfers.ts';
import { runTillhook } from '../support/server/command.ts';
import { serverForFile, serverWithContext } from '../support/server/tillhook.ts';

const server = serverForFile({ PAYOUT_PROCESSOR: 'manual' });
const unknownId = '01997c3e-6f1d-7cc0-8e0b-2f5d9a1b4c7e';

const tillhook = (...args: string[]) => runTillhook({ DATABASE_URL: server().database.url }, 'transfers', ...args);
const withKeys = (keys: string, ...args: string[]) =>
  runTillhook({ DATABASE_URL: server().database.url, MASTER_KEYS: keys }, 'transfers', ...args);

const details = { reference: 'payout-77', amount: 250_000, recipient: recipient('9876543210') };

async function liveTransfer() {
  const merchant = await liveFundedMerchant(server(), 1_000_000);
  const { id } = await merchant.liveClient.transfers.create({ ...details, narration: 'November invoice' });
  return { merchant, id };
}

test('`transfers list` shows open transfers of test and live mode, oldest first, without account numbers', async (t) => {
  const { merchant, id } = await liveTransfer();
  await merchant.client.testHelpers.fundWallet({ amount: 100 });
  const slow = { reference: 'payout-78', amount: 100, recipient: recipient('0000000002') };
  const { id: testId } = await merchant.client.transfers.create(slow);
  await waitForTransfer('processing', merchant, 'payout-78');

  const { code, stdout, stderr } = await tillhook('list', '--merchant', merchant.id);

  t.is(code, 0, stderr);
  const [, first, second] = stdout.split('\n');
  const live = `^${id}  payout-77  Test Store  live  (pending|processing) +NGN 2,500\\.00  Grace Hopper  058   3210    \\d+ min$`;
  t.regex(first ?? '', new RegExp(live));
  t.regex(second ?? '', new RegExp(`^${testId}  payout-78  Test Store  test  processing  NGN 1\\.00 +Grace Hopper`));
  t.notRegex(stdout, /9876543210/);
});

test('`transfers list --status` shows ended transfers, newest first, also as JSON', async (t) => {
  const merchant = await fundedMerchant(server(), 1_000_000);
  for (const reference of ['payout-76', 'payout-77']) {
    await merchant.client.transfers.create({ ...details, reference });
    await waitForTransfer('completed', merchant, reference);
  }
  const ofMerchant = ['--merchant', merchant.id];

  const open = await tillhook('list', ...ofMerchant);
  const completed = await tillhook('list', ...ofMerchant, '--status', 'completed', '--json');

  t.deepEqual([open.stdout, open.stderr], ['', 'No transfer is open.\n']);
  const [record, earlier, ...others] = JSON.parse(completed.stdout);
  t.like(record, { reference: 'payout-77', merchant: { id: merchant.id }, status: 'completed', amount: 250_000 });
  t.deepEqual(record.recipient, { name: 'Grace Hopper', accountNumberLast4: '3210', bankCode: '058' });
  t.is(earlier.reference, 'payout-76');
  t.deepEqual(others, []);
});

test('`transfers show` prints everything that a bank transfer needs, with the account number, and writes an audit entry', async (t) => {
  const { merchant, id } = await liveTransfer();

  const shown = await withKeys(process.env.TEST_MASTER_KEYS ?? '', 'show', id);
  const json = await withKeys(process.env.TEST_MASTER_KEYS ?? '', 'show', id, '--json');

  t.is(shown.code, 0, shown.stderr);
  for (const line of [/^amount +NGN 2,500\.00$/m, /^recipient +Grace Hopper$/m, /^bank +058$/m])
    t.regex(shown.stdout, line);
  t.regex(shown.stdout, /^account number +9876543210$/m);
  t.regex(shown.stdout, /^narration +November invoice$/m);
  t.like(JSON.parse(json.stdout).recipient, { accountNumber: '9876543210', accountNumberLast4: '3210' });
  const acts = 'select action, mode, subject from audit_entry where merchant_id = $1';
  const act = { action: 'revealAccountNumber', mode: 'live', subject: 'payout-77' };
  t.deepEqual(await server().database.query(acts, [merchant.id]), [act, act]);
});

test('only the command that shows the account number needs the master key', async (t) => {
  const { id } = await liveTransfer();

  const without = await tillhook('show', id);
  const wrong = await withKeys(`other:${Buffer.alloc(32).toString('base64')}`, 'show', id);

  t.deepEqual([without.code, wrong.code, without.stdout, wrong.stdout], [1, 1, '', '']);
  t.regex(without.stderr, /MASTER_KEYS: required when DATABASE_URL is set/);
  t.is(wrong.stderr, 'MASTER_KEYS: none of them decrypts the account number of this transfer\n');
});

test('settling, failing or reversing an unknown transfer prints one line and exits with 1', async (t) => {
  const reason = ['--reason', 'Closed'];
  const commands = [
    ['settle', unknownId],
    ['fail', unknownId, ...reason],
    ['reverse', unknownId, ...reason],
  ];
  for (const command of commands) {
    const { code, stderr } = await tillhook(...command);
    t.is(code, 1);
    t.is(stderr, `There is no transfer ${unknownId}\n`);
  }
});

const ledgerServer = serverWithContext({ ROLE: 'api' });

const check = (...more: string[]) =>
  runTillhook({ DATABASE_URL: ledgerServer().database.url }, 'ledger', 'check', ...more);

test.serial('when the ledger is correct, the ledger check exits with 0 and prints how much it checked', async (t) => {
  await fillLedger(ledgerServer());

  const { code, stdout, stderr } = await check();

  t.is(code, 0, stdout);
  t.is(stdout, 'The books are right: 9 accounts, 19 transactions and 52 entries were checked.\n');
  t.is(stderr, '');
});

test.serial(
  'without --json the ledger check prints a table of breaches, and the number of breaches that the table leaves out',
  async (t) => {
    const { id } = await ledgerServer().createMerchant();
    t.teardown(() => ledgerServer().database.query('delete from event where merchant_id = $1', [id]));
    await ledgerServer().database.query(
      `insert into event (id, merchant_id, mode, name, reference, body, created_at)
     select gen_random_uuid(), $1, 'test', 'checkout.success', 'order-' || number, '{', now()
     from generate_series(1, 25) as number`,
      [id],
    );

    const { code, stdout, stderr } = await check();

    t.is(code, 1);
    t.regex(stdout, /^INVARIANT +WHAT SHOULD BE TRUE +TABLE +ID +EXPECTED +FOUND\n/);
    const line =
      /^9 +Each payment, refund and transfer has each event that its status requires once, and no other +event +[-0-9a-f]{36} +checkout.success never +1 times$/gm;
    t.is(stdout.match(line)?.length, 20);
    t.regex(stderr, /^The books are wrong: 9 accounts, .* checked\.\nOf invariant 9, 5 more are not listed\.\n$/);
  },
);

test.serial(
  '--merchant limits the ledger check to the ledger of this merchant, and the merchant must exist',
  async (t) => {
    const [right, wrong] = [await fillLedger(ledgerServer()), await fillLedger(ledgerServer())];
    await ledgerServer().database.query(
      `update ledger_account set balance = balance + 1 where id = '${wrong.ids.account}'`,
    );

    const ofRight = await check('--merchant', right.merchant.id);
    const ofWrong = await check('--merchant', wrong.merchant.id);
    const ofNobody = await check('--merchant', wrong.ids.account ?? '');

    t.is(ofRight.code, 0);
    t.regex(ofRight.stdout, /^The books are right: 9 accounts/);
    t.is(ofWrong.code, 1);
    t.regex(ofWrong.stdout, new RegExp(`^2 .* ledger_account +${wrong.ids.account} `, 'm'));
    t.is(ofNobody.code, 1);
    t.is(ofNobody.stdout, '');
  },
);
