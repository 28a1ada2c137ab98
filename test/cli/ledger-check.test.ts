import test from 'ava';
import { createBooks } from '../support/money/books.ts';
import { runTillhook } from '../support/server/command.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile({ ROLE: 'api' });

const check = (...more: string[]) => runTillhook({ DATABASE_URL: server().database.url }, 'ledger', 'check', ...more);

test.serial('a correct ledger exits with 0 and says how much was checked', async (t) => {
  await createBooks(server());

  const { code, stdout, stderr } = await check();

  t.is(code, 0, stdout);
  t.is(stdout, 'The books are right: 9 accounts, 19 transactions and 52 entries were checked.\n');
  t.is(stderr, '');
});

test.serial('without --json there is a table of breaches, and a count of those not listed', async (t) => {
  const { id } = await server().createMerchant();
  t.teardown(() => server().database.query('delete from event where merchant_id = $1', [id]));
  await server().database.query(
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
});

test.serial('--merchant checks the ledger of that merchant only, and the merchant must exist', async (t) => {
  const [right, wrong] = [await createBooks(server()), await createBooks(server())];
  await server().database.query(`update ledger_account set balance = balance + 1 where id = '${wrong.ids.account}'`);

  const ofRight = await check('--merchant', right.merchant.id);
  const ofWrong = await check('--merchant', wrong.merchant.id);
  const ofNobody = await check('--merchant', wrong.ids.account ?? '');

  t.is(ofRight.code, 0);
  t.regex(ofRight.stdout, /^The books are right: 9 accounts/);
  t.is(ofWrong.code, 1);
  t.regex(ofWrong.stdout, new RegExp(`^2 .* ledger_account +${wrong.ids.account} `, 'm'));
  t.is(ofNobody.code, 1);
  t.is(ofNobody.stdout, '');
});
