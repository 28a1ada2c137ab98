import { readFileSync } from 'node:fs';

/** One version of the contract, and how it differs from the one before. */
export interface ChangelogVersion {
  version: string;
  /** The day from which the contract has this version, such as `2026-11-21`. */
  date: string;
  /** What a person can do now, in Markdown. */
  summary: string;
  /** The version before; null for the first one. */
  since: string | null;
  /** What the list of changes does not show, in Markdown. */
  notes: readonly string[];
  /** What people who run the service must know, in Markdown. */
  operators: readonly string[];
  changes: ContractChange[];
}

export interface ContractChange {
  kind: 'added' | 'removed' | 'changed';
  /** What changed, in Markdown; empty when whole operations were added or removed. */
  what: string;
  /** The names of the operations and events that changed. */
  operations: string[];
}

export const changelogPath: URL = new URL('../generated/changelog.json', import.meta.url);

/** Reads all versions, the newest first. */
export function readChangelog(): ChangelogVersion[] {
  return JSON.parse(readFileSync(changelogPath, 'utf8'));
}
