/**
 * The results of `npm run compatibility`. With `--publish` the run writes them to a file, and the documentation shows
 * that file.
 */
import { readFileSync } from 'node:fs';
import { markdownTable } from '../markdown-table.ts';

export interface CompatibilityReport {
  /** When the run ended. */
  testedAt: string;
  /** The test files, and the folders of which all files ran. Those that begin with `!` were left out. */
  files: string[];
  /** The oldest first. */
  versions: TestedVersion[];
}

export interface TestedVersion {
  /** Of Postgres, such as `15.18`. */
  version: string;
  passed: number;
  failed: number;
}

export const publishedCompatibilityFile = `${import.meta.dirname}/compatibility.json`;

export function readPublishedCompatibility(): CompatibilityReport {
  return JSON.parse(readFileSync(publishedCompatibilityFile, 'utf8'));
}

export function versionsTable({ versions }: CompatibilityReport): string {
  return markdownTable(
    ['Postgres', 'Tests passed', 'Tests failed'],
    versions.map(({ version, passed, failed }) => [version, passed.toLocaleString('en'), `**${failed}**`]),
  );
}

/** The table with the day of the run, for a guide. */
export function testedVersionsText(report: CompatibilityReport): string {
  const named = (files: string[]) => files.map((file) => `\`${file.replace(/^!|\.test\.ts$/g, '')}\``).join(', ');
  const [run, leftOut] = [false, true].map((isLeftOut) =>
    named(report.files.filter((file) => file.startsWith('!') === isLeftOut)),
  );
  return `${versionsTable(report)}\nThe run ended on ${report.testedAt.slice(0, 10)}. On each version it ran these test files, and all files of these folders: ${run}${leftOut && `; without ${leftOut}`}.`;
}
