/** `npm run compatibility -- --publish` writes the file that the documentation shows. */
import { readFileSync } from 'node:fs';
import { markdownTable } from '../../src/kit/tables.ts';

export interface CompatibilityReport {
  testedAt: string;
  /** The test files that ran. A folder stands for all its files, except those that are listed with a `!` in front. */
  files: string[];
  versions: TestedVersion[];
}

export interface TestedVersion {
  /** The version of Postgres, such as `15.18`. */
  version: string;
  passed: number;
  failed: number;
}

export const publishedCompatibilityFile = `${import.meta.dirname}/compatibility.json`;

export function readPublishedCompatibility(): CompatibilityReport {
  return JSON.parse(readFileSync(publishedCompatibilityFile, 'utf8'));
}

/**
 * A version in the later report replaces the same major version of the earlier report. An earlier report about other
 * test files is dropped.
 */
export function replaceVersions(earlier: CompatibilityReport, later: CompatibilityReport): CompatibilityReport {
  const majorOf = ({ version }: TestedVersion) => Number.parseInt(version, 10);
  const replaced = new Set(later.versions.map(majorOf));
  const hasSameFiles = earlier.files.join() === later.files.join();
  const kept = hasSameFiles ? earlier.versions.filter((tested) => !replaced.has(majorOf(tested))) : [];
  return { ...later, versions: [...kept, ...later.versions].sort((one, other) => majorOf(one) - majorOf(other)) };
}

export function versionsTable({ versions }: CompatibilityReport): string {
  return markdownTable(
    ['Postgres', 'Tests passed', 'Tests failed'],
    versions.map(({ version, passed, failed }) => [version, passed.toLocaleString('en'), `**${failed}**`]),
  );
}

export function testedVersionsText(report: CompatibilityReport): string {
  const named = (files: string[]) => files.map((file) => `\`${file.replace(/^!|\.test\.ts$/g, '')}\``).join(', ');
  const [run, leftOut] = [false, true].map((isLeftOut) =>
    named(report.files.filter((file) => file.startsWith('!') === isLeftOut)),
  );
  return `${versionsTable(report)}\nThe last run ended on ${report.testedAt.slice(0, 10)}. On each version it ran these test files, and all files of these folders: ${run}${leftOut && `; without ${leftOut}`}.`;
}
