import { withFreshEntityManager } from '@tillhook/server/src/context.ts';
import { checkLedger, type LedgerCheck } from '@tillhook/server/src/money/wallets/check/check-ledger.service.ts';
import { inTransaction } from '@tillhook/server/src/platform/database/transaction.ts';
import test from 'ava';
import { corruptions } from '../support/money/corruptions.ts';
import { corrupt, corruptedRow, type FilledLedger, fillLedger, withoutGuards } from '../support/money/filled-ledger.ts';
import { ledgerBreaches } from '../support/money/ledger.ts';
import { startCheckout } from '../support/money/payments.ts';
import { serverWithContext } from '../support/server/tillhook.ts';

const server = serverWithContext({ ROLE: 'api' });
let ledger: Promise<FilledLedger> | undefined;

/** Each test rolls back its corruption of the ledger. */
function ledgerOfFile(): Promise<FilledLedger> {
  ledger ??= fillLedger(server());
  return ledger;
}

async function checkAfter(
  statements: string,
  merchantId?: string,
): Promise<{ usual: LedgerCheck; inBatches: LedgerCheck }> {
  const { context } = server();
  let checked: { usual: LedgerCheck; inBatches: LedgerCheck } | undefined;
  const rolledBack = inTransaction(withFreshEntityManager(context), async (tx) => {
    await tx.em.fork({ keepTransactionContext: true }).execute(statements);
    checked = {
      usual: await checkLedger(tx, { merchantId }),
      inBatches: await checkLedger(tx, { merchantId, batchSize: 2 }),
    };
    throw new Error('The transaction is rolled back on purpose.');
  });
  await rolledBack.catch(() => {});
  if (!checked) return rolledBack;
  return checked;
}

const own = () => ({ ...server().context, em: server().context.em.fork() });

const inOrder = ({ breaches, ...rest }: LedgerCheck) => ({
  ...rest,
  breaches: breaches.map((breach) => JSON.stringify(breach)).sort(),
});

for (const corruption of corruptions) {
  test.serial(`invariant ${corruption.invariant} is reported as broken by ${corruption.title}`, async (t) => {
    const own = await ledgerOfFile();

    const { usual, inBatches } = await checkAfter(corrupt(corruption, own));
    const { breaches } = usual;

    const { invariant, says, found } = corruption;
    const row = corruptedRow(corruption, own);
    const breach = breaches.find((each) => each.says === says && each.id === row.id);
    t.like(breach, { invariant, says, ...row }, JSON.stringify(breaches, null, 2));
    if (found instanceof RegExp) t.regex(breach?.found ?? '', found);
    else t.is(breach?.found, found);
    t.not(breach?.expected, breach?.found);
    t.deepEqual(inOrder(inBatches), inOrder(usual));
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
    await ledgerOfFile();

    const { usual, inBatches } = await checkAfter(withoutGuards + statements);

    t.deepEqual([usual.breaches, inBatches.breaches], [[], []]);
  });
}

test.serial('the ledger check of one merchant does not read the ledgers of other merchants', async (t) => {
  const own = await ledgerOfFile();
  const other = await fillLedger(server());
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

test.serial('a wrong entry is counted once, even if it is beyond the breaches that the result lists', async (t) => {
  const { merchant } = await ledgerOfFile();
  const [row] = await server().database.query<{ entries: number }>(
    `select count(*)::int as entries from ledger_entry join ledger_account on ledger_account.id = account_id
     where merchant_id = $1`,
    [merchant.id],
  );
  const entries = row?.entries ?? 0;
  const changed = `update ledger_account set mode = 'live' where merchant_id = '${merchant.id}'`;

  const { usual } = await checkAfter(withoutGuards + changed);

  const listed = usual.breaches.filter(({ invariant }) => invariant === 7);
  const unlisted = usual.unlisted.find(({ invariant }) => invariant === 7);
  t.is(listed.length, 20);
  t.is(listed.length + (unlisted?.count ?? 0), entries);
  t.true(entries > 40);
});

test.serial(
  'when the account of an entry is moved to another merchant, the ledger check of the old merchant and that of the new merchant find the entry',
  async (t) => {
    const own = await ledgerOfFile();
    const other = await server().createMerchant();
    const moved = `update ledger_account set merchant_id = '${other.id}' where id = '${own.ids.account}'`;

    for (const merchantId of [own.merchant.id, other.id]) {
      const { usual, inBatches } = await checkAfter(withoutGuards + moved, merchantId);
      for (const { breaches } of [usual, inBatches]) {
        const found = breaches.filter(({ invariant, id }) => invariant === 7 && id === own.ids.entry);
        t.is(found.length, 1);
      }
    }
  },
);

test.serial(
  'the ledger check counts each account, transaction and ledger entry once, in batches of any size',
  async (t) => {
    await ledgerOfFile();
    const [counted] = await server().database.query(
      `select (select count(*)::int from ledger_account) as accounts, (select count(*)::int from ledger_transaction) as transactions,
       (select count(*)::int from ledger_entry) as entries`,
    );

    for (const batchSize of [1, 3, 5000]) {
      const { breaches, unlisted, ...counts } = await checkLedger(own(), { batchSize });
      t.deepEqual([breaches, unlisted], [[], []]);
      t.deepEqual(counts, counted);
    }
  },
);

test.serial('while money moves, the ledger check finds no breach, in small or large batches of rows', async (t) => {
  const merchant = await server().createMerchant();
  let moved = 0;
  const move = async (client: number) => {
    for (let place = 1; place <= 6; place += 1) {
      const reference = `moving-${client}-${place}`;
      await startCheckout(merchant, reference);
      await merchant.client.testHelpers.completePayment(reference);
      await merchant.client.refunds.create(reference, { amount: 1 });
      await merchant.client.wallets.topUp({ amount: 1, currency: 'NGN' });
    }
  };
  // A client also counts as finished when one of its calls fails.
  const moving = [1, 2, 3].map((client) =>
    move(client).finally(() => {
      moved += 1;
    }),
  );

  const checks: LedgerCheck[] = [];
  while (moved < moving.length)
    for (const batchSize of [20, 5000]) checks.push(await checkLedger(own(), { batchSize }));
  await Promise.all(moving);

  t.deepEqual(
    checks.flatMap(({ breaches }) => breaches),
    [],
  );
  t.true((checks.at(-1)?.transactions ?? 0) > (checks[0]?.transactions ?? 0));
});
