/**
 * Fills an empty database with the history of a service. The ledger adds up, and the rows cover more days than the
 * retention period, so that the purge jobs have rows to remove.
 */

import type { Sealer } from '@tillhook/server/src/kit/seal.ts';
import {
  addDays,
  createDaySql,
  type DailyTable,
  dailyTables,
  dayOf,
} from '@tillhook/server/src/platform/database/schema/daily-partitions.ts';
import type { Client } from 'pg';
import { registerEndpoints } from '../support/queued-deliveries.ts';
import { fillDeliveries } from './fill-deliveries.ts';
import { fillLedger } from './fill-ledger.ts';
import { createPeriod, fillRecords } from './fill-records.ts';

export interface Size {
  payments: number;
  deliveries: number;
}

export const historyDays = 32;
const smallMerchants = 49;

export async function fillHistory(database: Client, sealer: Sealer, size: Size): Promise<string> {
  const note = notes();
  // Turns triggers and foreign keys off, because they would take longer than the inserts.
  await database.query(`
    set session_replication_role = replica;
    set auto_explain.log_min_duration = -1;
    set log_temp_files = -1;
    set synchronous_commit = off;
    set work_mem = '512MB';
    set maintenance_work_mem = '1GB';
    set jit = off`);
  await makeDays(database);
  const merchantId = await createMerchants(database, sealer, size);
  await createPeriod(database, size.payments);
  note('merchants');
  await fillRecords(database, size.payments, historyDays);
  note('payments, refunds and transfers');
  await fillLedger(database);
  note('ledger');
  await fillDeliveries(database, historyDays);
  note('events, deliveries and attempts');
  await database.query('vacuum (analyze, parallel 0)');
  await database.query('checkpoint');
  note('vacuum');
  return merchantId;
}

function notes(): (step: string) => void {
  let startedAt = performance.now();
  return (step) => {
    console.error(`  filled ${step} in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
    startedAt = performance.now();
  };
}

async function makeDays(database: Client): Promise<void> {
  const today = dayOf(new Date());
  for (const table of Object.keys(dailyTables) as DailyTable[]) {
    await database.query(`drop table ${table}_before`);
    for (let day = historyDays; day >= 1; day -= 1) await database.query(createDaySql(table, addDays(today, -day)));
  }
  // The events of this history get feed positions below the positions of events that real transactions insert.
  await database.query('update event_order set position_shift = position_shift + 1000000000');
}

async function createMerchants(database: Client, sealer: Sealer, { payments, deliveries }: Size): Promise<string> {
  const { rows } = await database.query<{ id: string }>(
    `insert into merchant (id, name, currency, transfer_fee, created_at)
     select uuidv7(), 'Store ' || number, 'NGN', 5, now() from generate_series(1, $1) as number returning id`,
    [smallMerchants + 1],
  );
  const count = Math.max(1, Math.round(deliveries / payments));
  for (const { id: merchantId } of rows)
    for (const mode of ['test', 'live'] as const)
      await registerEndpoints(database, sealer, { merchantId, mode, url: 'https://shop.example.com/hooks', count });
  await database.query(`
    create temporary table owner as
    select row_number() over (order by id) as number, id as merchant_id from merchant;
    create temporary table target as
    select merchant_id, mode, id as endpoint_id, row_number() over (partition by merchant_id, mode order by id) as place
    from webhook_endpoint;
    analyze owner, target`);
  const [first] = rows;
  if (!first) throw new Error('The insert returned no row.');
  return first.id;
}
