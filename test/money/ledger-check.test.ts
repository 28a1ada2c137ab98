import { withFreshEntityManager } from '@tillhook/server/src/context.ts';
import { inTransaction } from '@tillhook/server/src/database/transaction.ts';
import { checkBooks } from '@tillhook/server/src/wallets/check-ledger.job.ts';
import { checkLedger, type LedgerCheck } from '@tillhook/server/src/wallets/ledger-check.service.ts';
import test from 'ava';
import { type Books, createBooks, spoil, spoiledRow, withoutGuards } from '../support/money/books.ts';
import { ledgerBreaches } from '../support/money/ledger.ts';
import { spoilings } from '../support/money/spoilings.ts';
import { figuresOf } from '../support/server/figures.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile({ ROLE: 'api' });
let books: Promise<Books> | undefined;

/** The books for all tests of this file. Each test rolls back what it spoils. */
function booksOfFile(): Promise<Books> {
  books ??= createBooks(server());
  return books;
}

/** Runs these statements and the check, and rolls back. */
async function checkAfter(statements: string): Promise<LedgerCheck> {
  const { context } = server();
  let checked: LedgerCheck | undefined;
  const spoiling = inTransaction(withFreshEntityManager(context), async (tx) => {
    await tx.em.fork({ keepTransactionContext: true }).execute(statements);
    checked = await checkLedger(tx);
    throw new Error('Only for a look.');
  });
  await spoiling.catch(() => {});
  if (!checked) return spoiling;
  return checked;
}

for (const spoiling of spoilings) {
  test.serial(`invariant ${spoiling.invariant} is reported as broken by ${spoiling.title}`, async (t) => {
    const own = await booksOfFile();

    const { breaches } = await checkAfter(spoil(spoiling, own));

    const { invariant, says, found } = spoiling;
    const row = spoiledRow(spoiling, own);
    const breach = breaches.find((each) => each.says === says && each.id === row.id);
    t.like(breach, { invariant, says, ...row }, JSON.stringify(breaches, null, 2));
    if (found instanceof RegExp) t.regex(breach?.found ?? '', found);
    else t.is(breach?.found, found);
    t.not(breach?.expected, breach?.found);
  });
}

const harmless: [situation: string, statements: string][] = [
  [
    'an event that was purged after its time',
    `update payment set completed_at = now() - interval '31 days' where reference = 'order-paid';
     delete from event where reference = 'order-paid'`,
  ],
  [
    'a payment that had failed before a late capture',
    `insert into event (id, merchant_id, mode, name, reference, body, created_at)
     select gen_random_uuid(), merchant_id, mode, 'checkout.failed', reference, '{', now()
     from payment where reference = 'order-paid'`,
  ],
  [
    'a payment that had expired before a late capture',
    `update payment set expiry_reason = 'expired' where reference = 'order-paid';
     insert into event (id, merchant_id, mode, name, reference, body, created_at)
     select gen_random_uuid(), merchant_id, mode, 'checkout.expired', reference, '{', now()
     from payment where reference = 'order-paid'`,
  ],
  [
    'a payment that expired in a version without the event',
    `update payment set expiry_reason = null where reference = 'order-expired';
     delete from event where reference = 'order-expired'`,
  ],
  [
    'an expired payment whose event was purged after its time',
    `update payment set updated_at = now() - interval '31 days' where reference = 'order-expired';
     delete from event where reference = 'order-expired'`,
  ],
];

for (const [situation, statements] of harmless) {
  test.serial(`the invariants hold after ${situation}`, async (t) => {
    await booksOfFile();

    t.deepEqual((await checkAfter(withoutGuards + statements)).breaches, []);
  });
}

test.serial('the check of one merchant does not read the ledger of others', async (t) => {
  const own = await booksOfFile();
  const other = await createBooks(server());
  const isWrong = `update ledger_account set balance = balance + 1 where merchant_id = '${other.merchant.id}'`;
  await server().database.query(`begin; ${withoutGuards} ${isWrong}; commit`);

  const [theirs, ours] = [
    await ledgerBreaches(server(), other.merchant.id),
    await ledgerBreaches(server(), own.merchant.id),
  ];
  await server().database.query(`${isWrong.replace('+ 1', '- 1')}`);

  t.is(theirs.length, 11);
  t.deepEqual(ours, []);
  t.deepEqual(await ledgerBreaches(server()), []);
});

test.serial('the job shows how many rows break an invariant, of all merchants', async (t) => {
  const { context } = server();
  const own = await booksOfFile();
  const shown = async () => (await figuresOf(server())).get('tillhook_ledger_breaches');
  const check = () => checkBooks(context, (work) => work(context.em.fork()));
  await check();
  const before = await shown();
  const isWrong = `update ledger_account set balance = balance + 1 where merchant_id = '${own.merchant.id}'`;
  await server().database.query(`begin; ${withoutGuards} ${isWrong}; commit`);

  await check();

  t.is(before, 0);
  t.is(await shown(), 11);
  await server().database.query(isWrong.replace('+ 1', '- 1'));
  await check();
  t.is(await shown(), 0);
});
