/** `check-ledger.test.ts` tests the ledger check itself. */
import { setTimeout as sleep } from 'node:timers/promises';
import { checkLedgerAndReport } from '@tillhook/server/src/money/wallets/check/check-ledger.job.ts';
import { reachDatabase } from '@tillhook/server/src/platform/database/connection/connections.ts';
import { longStatementsOn } from '@tillhook/server/src/platform/database/connection/long-statements.ts';
import test from 'ava';
import { type KyselyPlugin, sql } from 'kysely';
import { Client } from 'pg';
import { eventually } from '../support/eventually.ts';
import { type FilledLedger, fillLedger, withoutGuards } from '../support/money/filled-ledger.ts';
import { figuresOf } from '../support/server/figures.ts';
import { ownServerForFile } from '../support/server/tillhook.ts';

const server = ownServerForFile({ ROLE: 'api' });
let ledger: Promise<FilledLedger> | undefined;

/** Each test repairs the ledger that it corrupts. */
function ledgerOfFile(): Promise<FilledLedger> {
  ledger ??= fillLedger(server());
  return ledger;
}

test.serial('when the process stops, the ledger check job and its SQL statement end', async (t) => {
  const { context, database } = server();
  await ledgerOfFile();
  const stopping = new AbortController();
  const running = async () => {
    const [row] = await database.query<{ count: number }>(
      `select count(*)::int from pg_stat_activity where wait_event_type = 'Lock' and query like '%as materialized%'
       and pid <> pg_backend_pid() and datname = current_database()`,
    );
    return row?.count;
  };
  // The statement of the job waits for a lock, as it would wait for a slow disk.
  const locking = new Client({ connectionString: database.url });
  await locking.connect();
  t.teardown(() => locking.end());
  await locking.query('begin; lock table ledger_transaction in access exclusive mode');

  const checking = checkLedgerAndReport(context, longStatementsOn(reachDatabase(database.url)), stopping.signal);
  await eventually(running, 1);
  stopping.abort();

  await t.notThrowsAsync(checking);
  await eventually(running, 0);
});

test.serial(
  'when the process stops while the ledger check job opens its connection, the SQL statement of the job ends too',
  async (t) => {
    const stopping = new AbortController();
    const withLongStatements = longStatementsOn(reachDatabase(server().database.url));
    const sleeping = withLongStatements((em) => sql`select pg_sleep(15)`.execute(em.getKysely()), stopping.signal);

    stopping.abort();

    await t.throwsAsync(sleeping);
  },
);

test.serial('the ledger check job shows how many rows of all merchants break an invariant', async (t) => {
  const { context } = server();
  const own = await ledgerOfFile();
  const shown = async () => (await figuresOf(server())).get('tillhook_ledger_breaches');
  const check = () => checkLedgerAndReport(context, (work) => work(context.em.fork()));
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

test.serial('when the check of one merchant fails, the breaches of the other merchants are still shown', async (t) => {
  const { context, database } = server();
  const own = await ledgerOfFile();
  const other = await server().createMerchant();
  const isWrong = `update ledger_account set balance = balance + 1 where merchant_id = '${own.merchant.id}'`;
  await database.query(`begin; ${withoutGuards} ${isWrong}; commit`);
  t.teardown(() => database.query(isWrong.replace('+ 1', '- 1')));
  const refusing: KyselyPlugin = {
    transformQuery({ node }) {
      if (JSON.stringify(node).includes(other.id)) throw new Error('This merchant cannot be checked.');
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const em = { getKysely: () => context.em.fork().getKysely().withPlugin(refusing) };
  const startedAt = Date.now() / 1000;

  await t.throwsAsync(
    checkLedgerAndReport(context, (work) => work(em as never)),
    { message: 'This merchant cannot be checked.' },
  );

  const shown = await figuresOf(server());
  t.is(shown.get('tillhook_ledger_breaches'), 11);
  t.true((shown.get('tillhook_ledger_counted_timestamp_seconds') ?? 0) >= startedAt);
});

test.serial('a ledger check that fails and finds no breach keeps the count of the earlier check', async (t) => {
  const { context } = server();
  await ledgerOfFile();
  await checkLedgerAndReport(context, (work) => work(context.em.fork()));
  const earlier = (await figuresOf(server())).get('tillhook_ledger_counted_timestamp_seconds');
  await sleep(5);

  await t.throwsAsync(
    checkLedgerAndReport(context, () => Promise.reject(new Error('The connection is lost.'))),
    { message: 'The connection is lost.' },
  );

  t.is((await figuresOf(server())).get('tillhook_ledger_counted_timestamp_seconds'), earlier);
});
