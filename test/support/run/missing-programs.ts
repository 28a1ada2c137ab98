import { missingPackages, type OtherBrowser, otherBrowsers } from '../browser/installed-browsers.ts';
import { findPgBouncer } from '../database/pgbouncer-program.ts';
import { hasDashboardCheck } from '../programs/dashboard-check.ts';
import { findPrometheus } from '../programs/prometheus-program.ts';
import { missingLanguages } from '../programs/toolchains.ts';
import { missingShells } from './shells.ts';

/** Prints each program that is missing here, with what is skipped for that. True if the run must end: with CI=true. */
export function refuseMissingPrograms(): boolean {
  const skipped = skippedHere();
  for (const tests of skipped) console.log(`SKIPPED: ${tests}.`);
  if (process.env.CI !== 'true' || skipped.length === 0) return false;
  console.error('With CI=true, nothing may be skipped: .ci/run starts the services that these tests need.');
  return true;
}

/** What `npm run test:all` skips on this machine: tests that need what npm does not install, each with what is missing. */
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
    ...(process.getuid?.() === 0 ? [] : ['four tests of the folder of the embedded database, because they need root']),
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

// `.ci/run` runs this file, so that a missing program ends it before the tests.
if (import.meta.main && refuseMissingPrograms()) process.exitCode = 1;
