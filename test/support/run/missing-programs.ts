import { missingPackages, type OtherBrowser, otherBrowsers } from '../browser/installed-browsers.ts';
import { findPgBouncer } from '../database/pgbouncer.ts';
import {
  findProgram,
  findPrometheus,
  hasDashboardCheck,
  missingLanguages,
  missingShells,
} from '../programs/installed-programs.ts';

/** Returns true if the run must end, because with CI=true no test may be skipped. */
export function refuseMissingPrograms(): boolean {
  const byReason = Map.groupBy(skippedHere(), ({ because }) => because);
  for (const [reason, skipped] of byReason)
    console.log(`SKIPPED, because ${reason}: ${skipped.map(({ tests }) => tests).join('; ')}.`);
  if (process.env.CI !== 'true' || byReason.size === 0) return false;
  console.error('With CI=true, no test may be skipped. .ci/run starts the services that these tests need.');
  return true;
}

interface Skipped {
  tests: string;
  because: string;
}

function skippedHere(): Skipped[] {
  const { MONGODB_TEST_URL, STRIPE_MOCK_TEST_URL } = process.env;
  const languages = missingLanguages();
  // `.ci/run` builds and starts the services for these tests with Go.
  const withoutGo = languages.includes('Go') && 'Go is not installed';
  const pgBouncer = findPgBouncer();
  const oldPgBouncer = pgBouncer && !pgBouncer.keepsStatements && `${pgBouncer.path} is older than 1.21`;
  const found: [isHere: unknown, tests: string, because: string][] = [
    [MONGODB_TEST_URL, 'the schedule on MongoDB', withoutGo || 'MONGODB_TEST_URL is not set'],
    [STRIPE_MOCK_TEST_URL, 'the live processor', withoutGo || 'STRIPE_MOCK_TEST_URL is not set'],
    [hasDashboardCheck(), 'the check of the dashboard by Grafana’s types', withoutGo || 'the check is not built'],
    [pgBouncer, 'servers behind PgBouncer', 'PgBouncer is not installed and PGBOUNCER is not set'],
    [!oldPgBouncer, 'prepared statements behind PgBouncer', oldPgBouncer || ''],
    [findPrometheus('promtool'), 'the alert rules', 'promtool is not installed and PROMTOOL is not set'],
    [findProgram('postfix'), 'mails to a real mail server', 'Debian’s postfix is not installed'],
    [process.getuid?.() === 0, 'mails to a real mail server', 'Postfix needs root'],
    [process.getuid?.() === 0, 'four tests of the folder of the embedded database', 'they need root'],
  ];
  return [
    ...found.filter(([isHere]) => !isHere).map(([, tests, because]) => ({ tests, because })),
    ...otherBrowsers.flatMap(skippedWithout),
    ...missingShells().map((shell) => ({ tests: `completion in ${shell}`, because: `${shell} is not installed` })),
    ...languages.map((language) => ({ tests: `the programs in ${language}`, because: `${language} is not installed` })),
  ];
}

function skippedWithout(browser: OtherBrowser): Skipped[] {
  const missing = missingPackages(browser);
  if (missing.length === 0) return [];
  return [{ tests: `the pages in ${browser}`, because: `Debian’s ${missing.join(' and ')} is not installed` }];
}

// `.ci/run` runs this file, so that a missing program ends CI before the tests.
if (import.meta.main && refuseMissingPrograms()) process.exitCode = 1;
