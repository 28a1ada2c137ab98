/**
 * `npm run compatibility`: runs the tests that are about SQL on each supported version of Postgres.
 * See docs/decisions/tests.md, "Older versions of Postgres are fetched when they are tested".
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  type CompatibilityReport,
  publishedCompatibilityFile,
  readPublishedCompatibility,
  replaceVersions,
  versionsTable,
} from '@tillhook/docs/figures/postgres-versions.ts';
import { installPostgres, supportedVersions } from '@tillhook/test/support/run/chosen-postgres.ts';
import { reportsDirectory } from '../support/reports-directory.ts';
import { runOn } from './run-on.ts';
import { allTestFiles, shortTestFiles } from './test-files.ts';

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Versions, separated by commas. */
    only: { type: 'string', default: supportedVersions.join(',') },
    short: { type: 'boolean', default: false },
    publish: { type: 'boolean', default: false },
  },
});
const usualFiles = flags.short ? shortTestFiles : allTestFiles;
const files = positionals.length > 0 ? positionals : usualFiles;
if (flags.publish && files !== allTestFiles)
  throw new Error('--publish was given for only some test files: remove --short and the names of test files.');

mkdirSync(reportsDirectory, { recursive: true });
const report: CompatibilityReport = { testedAt: '', files: [...files], versions: [] };
for (const version of flags.only.split(',')) {
  if (!(await canBeFetched(version))) continue;
  const startedAt = performance.now();
  const tested = await runOn(version, files);
  report.versions.push(tested);
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  console.log(`Postgres ${tested.version}: ${tested.passed} passed, ${tested.failed} failed (${seconds} s)`);
}
report.testedAt = new Date().toISOString();
writeFileSync(join(reportsDirectory, 'compatibility.json'), `${JSON.stringify(report, null, 2)}\n`);
writeFileSync(join(reportsDirectory, 'compatibility.md'), versionsTable(report));
console.log(`\n${versionsTable(report)}`);
const isComplete = report.versions.length === flags.only.split(',').length;
const isEnough = isComplete || (process.env.CI !== 'true' && report.versions.length > 0);
const isGreen = isEnough && report.versions.every(({ failed }) => failed === 0);
if (flags.publish && isComplete && isGreen) {
  const published = replaceVersions(readPublishedCompatibility(), report);
  writeFileSync(publishedCompatibilityFile, `${JSON.stringify(published, null, 2)}\n`);
}
process.exitCode = isGreen ? 0 : 1;

async function canBeFetched(version: string): Promise<boolean> {
  try {
    await installPostgres(version);
    return true;
  } catch (error) {
    console.error(`POSTGRES ${version} IS LEFT OUT, BECAUSE IT COULD NOT BE INSTALLED: ${(error as Error).message}`);
    return false;
  }
}
