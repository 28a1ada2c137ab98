/**
 * `npm test`: starts one Postgres for all test files, migrates a template that each file clones, runs ava with the
 * arguments it was given, and, when all files ran, asks whether every documented status was seen.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildDashboard } from '@tillhook/server/src/dashboard/build.ts';
import { reachDatabase } from '@tillhook/server/src/database/connections.ts';
import { startEmbeddedPostgres } from '@tillhook/server/src/database/embedded.ts';
import { migrate } from '@tillhook/server/src/database/migrate.ts';
import { openOrm } from '@tillhook/server/src/orm.ts';
import { findChromium } from '../browser/chromium.ts';
import { missingPackages, type OtherBrowser, otherBrowsers } from '../browser/installed-browsers.ts';
import { templateDatabase } from '../database/database.ts';
import { findPgBouncer } from '../database/pgbouncer-program.ts';
import { hasDashboardCheck } from '../programs/dashboard-check.ts';
import { findPrometheus } from '../programs/prometheus-program.ts';
import { missingLanguages } from '../programs/toolchains.ts';
import { chosenPostgres } from './chosen-postgres.ts';
import { reportCoverage } from './coverage.ts';
import { startLending } from './lend.ts';
import { missingShells } from './shells.ts';

const home = mkdtempSync(join(tmpdir(), 'tillhook-test-'));
// As root, Postgres runs under another account, which must be able to get there.
chmodSync(home, 0o755);
const chosen = await chosenPostgres(home);
// Every server of every file keeps its own connections, and what is written here need not outlive the machine.
const postgres = await startEmbeddedPostgres(home, {
  settings: { max_connections: '1000', fsync: 'off', full_page_writes: 'off' },
  programs: chosen?.programs,
});
try {
  // Otherwise a run on another version could be green and prove nothing.
  await chosen?.assertIsServerOf(postgres.url);
  process.exitCode = await runAll(process.argv.slice(2));
} finally {
  await postgres.stop();
  rmSync(home, { recursive: true, force: true });
}
// The schedule of the shared server leaves timers behind that would keep this process for minutes.
process.exit();

async function runAll(args: string[]): Promise<number> {
  await Promise.all([migrateTemplate(), buildDashboard()]);
  // Read by what is shared too, which runs in this process.
  process.env.TEST_DATABASE_URL = postgres.url;
  process.env.TEST_MASTER_KEYS = `test:${randomBytes(32).toString('base64')}`;
  const ranAll = args.every((arg) => arg.startsWith('-'));
  const skipped = skippedHere();
  for (const tests of skipped) console.log(`SKIPPED: ${tests}.`);
  if (process.env.CI === 'true' && ranAll && skipped.length > 0) {
    console.error('With CI=true, nothing may be skipped: .ci/run starts the services that these tests need.');
    return 1;
  }
  const observed = join(home, 'observed');
  await using shared = await startLending();
  const status = await runAva(args, {
    TEST_SHARED_URL: shared.url,
    TEST_OBSERVED_FILE: observed,
    // A process for each file, and all of them load the same modules.
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE || join(home, 'compiled'),
    // Without one the tests of pages fail, and say what is missing.
    CHROMIUM_PATH: await findChromium().catch(() => ''),
  });
  return ranAll && status === 0 ? reportCoverage(observed) : status;
}

/** Tests of what npm does not have, each with what is missing. */
function skippedHere(): string[] {
  const { MONGODB_TEST_URL, STRIPE_MOCK_TEST_URL } = process.env;
  const pgBouncer = findPgBouncer();
  const isOld = pgBouncer && !pgBouncer.keepsStatements;
  return [
    ...(MONGODB_TEST_URL ? [] : ['tests of the schedule on MongoDB, because MONGODB_TEST_URL is not set']),
    ...(STRIPE_MOCK_TEST_URL ? [] : ['tests of the live processor, because STRIPE_MOCK_TEST_URL is not set']),
    ...(pgBouncer ? [] : ['tests behind PgBouncer, because it is not installed and PGBOUNCER is not set']),
    ...(isOld ? [`tests behind a PgBouncer that keeps prepared statements: ${pgBouncer.path} is older than 1.21`] : []),
    ...(hasDashboardCheck() ? [] : ['the check of the dashboard by Grafana’s types, because it is not built']),
    ...(findPrometheus('promtool') ? [] : ['tests of the alert rules, because promtool is not here']),
    ...otherBrowsers.flatMap(skippedWithout),
    ...missingShells().map((shell) => `completion in ${shell}, because ${shell} is not installed`),
    ...missingLanguages().map((language) => `the programs in ${language}, because ${language} is not installed`),
  ];
}

function skippedWithout(browser: OtherBrowser): string[] {
  const missing = missingPackages(browser);
  return missing.length > 0
    ? [`tests of the pages in ${browser}, because Debian’s ${missing.join(' and ')} is not installed`]
    : [];
}

async function migrateTemplate(): Promise<void> {
  const url = new URL(postgres.url);
  const admin = await openOrm(reachDatabase(url.href), 2);
  await admin.em.fork().execute(`create database ${templateDatabase}`);
  await admin.close();
  url.pathname = templateDatabase;
  const template = await openOrm(reachDatabase(url.href), 2);
  await migrate(template);
  await template.close();
}

function runAva(args: string[], env: Record<string, string>): Promise<number> {
  const ava = spawn('ava', args, { stdio: 'inherit', env: { ...process.env, ...env } });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => ava.kill(signal));
  return new Promise((resolve) => ava.on('exit', (code) => resolve(code ?? 1)));
}
