/**
 * `npm run history`: fills a database with the history of a month, and reports how Postgres executes every list, export
 * and job. The program fails if a statement scans a whole long table, or if a process uses too much memory.
 */
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createSealer } from '@tillhook/server/src/kit/seal.ts';
import { startEmbeddedPostgres } from '@tillhook/server/src/platform/database/embedded/embedded.ts';
import { Client } from 'pg';
import { createSchema } from '../bench/bench.ts';
import { readWholeNumber, rejectAfter, rejectOnSignal } from '../support/long-run.ts';
import { fillHistory } from './fill.ts';
import { openPlanLog, planFile, planSettings } from './plans.ts';
import { describeHistory, faultsOf, markdownOf, saveReport } from './report.ts';
import { type Measured, measureTasks } from './tasks.ts';

const maxMs = 7_200_000;
/** `fsync` is off, because the data need not survive a crash of the machine. */
const usualSettings = {
  shared_buffers: '1GB',
  max_wal_size: '4GB',
  random_page_cost: '1.1',
  fsync: 'off',
  full_page_writes: 'off',
};
/** A statement may scan a whole table with fewer rows than this number. */
const minRows = 10_000;

const { values: flags } = parseArgs({
  options: {
    payments: { type: 'string', default: '100000' },
    deliveries: { type: 'string', default: '1000000' },
    /** If the directory already has a history, it is not filled again. */
    data: { type: 'string' },
    only: { type: 'string', default: '' },
  },
});
const size = {
  payments: readWholeNumber('payments', flags.payments),
  deliveries: readWholeNumber('deliveries', flags.deliveries),
};
const running = new AsyncDisposableStack();
let exitCode = 0;
try {
  await Promise.race([measure(), rejectOnSignal(), rejectAfter(maxMs, '--payments is too high.')]);
} catch (error) {
  console.error(error);
  exitCode = 1;
}
await running.disposeAsync();
process.exit(exitCode);

interface Filled {
  merchantId: string;
  key: string;
}

async function measure(): Promise<void> {
  const home = openHome();
  const postgres = await startEmbeddedPostgres(home, { settings: { ...planSettings, ...usualSettings } });
  running.defer(() => postgres.stop());
  const database = new Client({ connectionString: postgres.url });
  await database.connect();
  running.defer(() => database.end());
  await createSchema(postgres.url);
  const note = join(home, 'history.json');
  if (!existsSync(note)) writeFileSync(note, JSON.stringify(await fill(postgres.url)));
  const filled = JSON.parse(readFileSync(note, 'utf8')) as Filled;
  const plans = await openPlanLog(database, join(home, 'postgres', planFile), minRows);
  const env = {
    NODE_ENV: 'production',
    DATABASE_URL: postgres.url,
    MASTER_KEYS: `history:${filled.key}`,
    RATE_LIMITS: 'off',
  };
  const only = new RegExp(flags.only);
  const { merchantId } = filled;
  const circumstances = { ...(await describeHistory(database)), size };
  const save = async (measured: readonly Measured[]) => saveReport({ ...circumstances, measured });
  const measured = await measureTasks({ database, plans, env, home, running, only, merchantId, save });
  console.log(markdownOf({ ...circumstances, measured }));
  const faults = faultsOf(measured);
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) exitCode = 1;
}

function openHome(): string {
  const home = flags.data ? resolve(flags.data) : mkdtempSync(join(tmpdir(), 'tillhook-history-'));
  mkdirSync(home, { recursive: true });
  // If the program runs as root, Postgres runs under another account, which needs access to the directory.
  chmodSync(home, 0o755);
  if (!flags.data) running.defer(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

async function fill(url: string): Promise<Filled> {
  const key = randomBytes(32);
  const sealer = createSealer([{ id: 'history', key }]);
  const filling = new Client({ connectionString: url });
  await filling.connect();
  const merchantId = await fillHistory(filling, sealer, size);
  await filling.end();
  return { merchantId, key: key.toString('base64') };
}
