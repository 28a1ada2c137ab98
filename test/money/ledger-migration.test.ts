import { migrate } from '@tillhook/server/src/platform/database/schema/migrate.ts';
import test from 'ava';
import { Client } from 'pg';
import type { Database } from '../support/database/database.ts';
import { contextOf, emptyDatabase, insertMerchant, insertPayment } from '../support/database/empty-database.ts';
import { eventually } from '../support/eventually.ts';
import { breachesIn } from '../support/server/ledger-breaches.ts';

const balances = (database: Database) =>
  database.query('select currency, kind, balance, entry_count from ledger_account order by currency, kind');

test('the migration credits payments that are older than the ledger', async (t) => {
  const { database, open } = await emptyDatabase(t);
  const orm = await open();
  await orm.migrator.up({ to: '003-limits-and-idempotency' });
  const merchantId = await insertMerchant(database);
  for (const status of ['completed', 'completed', 'failed', 'processing'])
    await insertPayment(database, merchantId, { status });
  await insertPayment(database, merchantId, { currency: 'USD' });

  await migrate(orm);

  t.deepEqual(await balances(database), [
    { currency: 'NGN', kind: 'collection', balance: '200', entry_count: '2' },
    { currency: 'NGN', kind: 'processor_clearing', balance: '-200', entry_count: '2' },
    { currency: 'USD', kind: 'collection', balance: '100', entry_count: '1' },
    { currency: 'USD', kind: 'processor_clearing', balance: '-100', entry_count: '1' },
  ]);
  t.deepEqual(await breachesIn(contextOf(orm)), []);
});

test('the migration adds earlier payments to an existing balance', async (t) => {
  const { database, open } = await emptyDatabase(t);
  const orm = await open();
  await migrate(orm);
  const merchantId = await insertMerchant(database);
  for (let round = 1; round <= 2; round += 1) {
    await insertPayment(database, merchantId);
    await insertPayment(database, merchantId);
    await database.query(`delete from migration where name = '009-payments-so-far'`);

    await migrate(await open());

    t.like((await balances(database))[0], { balance: String(200 * round), entry_count: String(2 * round) });
    t.deepEqual(await breachesIn(contextOf(orm)), []);
  }
});

test('a payment that completes during the migration does not wait and is credited once', async (t) => {
  const { database, open } = await emptyDatabase(t);
  const orm = await open();
  await orm.migrator.up({ to: '008-indexes' });
  const merchantId = await insertMerchant(database);
  await insertPayment(database, merchantId);
  const inTheWay = new Client({ connectionString: database.url });
  await inTheWay.connect();
  t.teardown(() => inTheWay.end());
  await inTheWay.query('begin; lock table ledger_account in share mode');

  const migrating = migrate(orm);
  const waiting = `select from pg_locks join pg_database on pg_database.oid = database
    where not granted and relation = 'ledger_account'::regclass and datname = current_database()`;
  await eventually(
    async () => (await database.query(waiting)).length,
    (seen) => seen > 0,
  );
  const late = await insertPayment(database, merchantId);
  await inTheWay.query('commit');
  await migrating;

  t.like((await balances(database))[0], { balance: '100', entry_count: '1' });
  t.deepEqual(await breachesIn(contextOf(orm)), [
    `6. The Collection wallet is credited with each completed payment: payment ${late} has nothing, not 100`,
  ]);
});
