import { readFileSync } from 'node:fs';

/** All texts of a version are Markdown. */
export interface ChangelogVersion {
  version: string;
  date: string;
  summary: string;
  /** The previous version; null for the first version. */
  since: string | null;
  notes: readonly string[];
  operators: readonly string[];
  changes: ContractChange[];
}

export interface ContractChange {
  kind: 'added' | 'removed' | 'changed';
  /** A description of the difference, in Markdown. Empty when whole operations were added or removed. */
  what: string;
  /** The names of the operations and events that changed. */
  operations: string[];
}

export const changelogPath: URL = new URL('../generated/changelog.json', import.meta.url);

/** Reads all versions, the newest first. */
export function readChangelog(): ChangelogVersion[] {
  return JSON.parse(readFileSync(changelogPath, 'utf8'));
}
