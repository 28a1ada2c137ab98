import test from 'ava';
import { fundedMerchant, recipient } from '../support/money/transfers.ts';
import { runTillhook } from '../support/server/command.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile({ ROLE: 'api' });

const tillhook = (...args: string[]) => runTillhook({ DATABASE_URL: server().database.url }, ...args);

test('a new fee is charged from now on, and shown in the list and in the audit log', async (t) => {
  const merchant = await fundedMerchant(server());
  const begin = (reference: string) =>
    merchant.client.transfers.create({ reference, amount: 100, recipient: recipient() });
  const { fee: before } = await begin('payout-1');

  const { code, stderr, stdout } = await tillhook('merchants', 'set-fee', merchant.id, '--amount', '25');

  t.is(code, 0, stderr);
  t.is(stdout, '');
  t.is(stderr, 'Each transfer of Test Store costs NGN 0.25 from now on.\n');
  t.deepEqual([before, (await begin('payout-2')).fee], [0, 25]);
  t.is((await merchant.client.transfers.get('payout-1')).fee, 0);
  t.regex(
    (await tillhook('merchants', 'list')).stdout,
    new RegExp(`^${merchant.id}  Test Store +NGN +NGN 0\\.25 +active$`, 'm'),
  );
  const acts = 'select action, mode, user_email from audit_entry where merchant_id = $1';
  t.deepEqual(await server().database.query(acts, [merchant.id]), [
    { action: 'setTransferFee', mode: null, user_email: null },
  ]);
});

test('the fee of a new merchant is 0, and the largest is exact', async (t) => {
  const made = await tillhook('merchants', 'create', '--name', 'Ada and Sons', '--currency', 'KES', '--json');
  const { id, transferFee } = JSON.parse(made.stdout);

  const changed = await tillhook('merchants', 'set-fee', id, '--amount', '999999999999', '--json');

  t.is(transferFee, 0);
  t.like(JSON.parse(changed.stdout), { id, transferFee: 999_999_999_999 });
});

test('a fee for an unknown merchant gives one line and exit 1', async (t) => {
  const id = '01997c3e-6f1d-7cc0-8e0b-2f5d9a1b4c7e';

  const { code, stderr } = await tillhook('merchants', 'set-fee', id, '--amount', '1');

  t.is(code, 1);
  t.is(stderr, `There is no merchant ${id}\n`);
});
