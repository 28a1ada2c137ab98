/**
 * `npm run bench`: Tillhook beside the barest program that does the same outward work, in one run on one machine, every
 * contender a process of its own on loopback and on one embedded Postgres. Rates depend on the machine and on what else
 * it does; what can be compared are the ratios. Prints Markdown and writes `reports/bench.json`.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '@tillhook/server/src/database/embedded.ts';
import { migrate } from '@tillhook/server/src/database/migrate.ts';
import { openDatabase } from '@tillhook/server/src/database/orm.ts';
import { createSealer } from '@tillhook/server/src/kit/seal.ts';
import { Client } from 'pg';
import type { Bench } from './bench.ts';
import { measureCheckouts } from './checkout-rate.ts';
import { measureDeliveries } from './delivery-rate.ts';
import { report } from './report.ts';

const mostMs = 180_000;

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    deliveries: { type: 'string', default: '20000' },
    checkouts: { type: 'string', default: '3000' },
    /** Also writes a CPU profile of each server process to `reports/`. */
    profile: { type: 'boolean', default: false },
  },
});

try {
  await Promise.race([ending(), measureAll()]);
  process.exit(0);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

async function measureAll(): Promise<void> {
  const rounds = wholeNumber('rounds');
  const deliveries = wholeNumber('deliveries');
  const checkouts = wholeNumber('checkouts');
  await using running = new AsyncDisposableStack();
  const bench = await prepare(running, rounds);
  const figures = [...(await measureDeliveries(bench, deliveries)), await measureCheckouts(bench, checkouts)];
  const { rows } = await bench.database.query('show server_version');
  report({ figures, settings: { rounds, deliveries, checkouts }, postgresVersion: rows[0].server_version });
}
