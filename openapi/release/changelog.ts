import { readFileSync } from 'node:fs';

/** A version of the contract, and its differences from the previous version. */
export interface ChangelogVersion {
  version: string;
  /** The release day of the version, such as `2026-11-21`. */
  date: string;
  /** What users can do now, in Markdown. */
  summary: string;
  /** The previous version; null for the first version. */
  since: string | null;
  /** Notes for users that the list of differences does not show, in Markdown. */
  notes: readonly string[];
  /** Notes for operators of the service, in Markdown. */
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
