import { readFileSync } from 'node:fs';

/** One version of the contract, and how it differs from the one before. */
export interface ChangelogVersion {
  version: string;
  since: string;
  changes: ContractChange[];
}

export interface ContractChange {
  kind: 'added' | 'removed' | 'changed';
  /** In Markdown; empty for the operations themselves. */
  what: string;
  /** By their names, and events by theirs. */
  operations: string[];
}

export const changelogPath: URL = new URL('./generated/changelog.json', import.meta.url);

/** The newest version first. */
export function readChangelog(): ChangelogVersion[] {
  return JSON.parse(readFileSync(changelogPath, 'utf8'));
}
