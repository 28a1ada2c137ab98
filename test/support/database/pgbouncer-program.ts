import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** PgBouncer keeps account of prepared statements, if it is told to, from this version on. */
const firstWithStatements = [1, 21];

export interface PgBouncerProgram {
  path: string;
  /** Whether it knows `max_prepared_statements`. */
  keepsStatements: boolean;
}

/** The program that `PGBOUNCER` names, or the one that is installed. */
export function findPgBouncer(): PgBouncerProgram | undefined {
  const path = process.env.PGBOUNCER || findOnPath('pgbouncer');
  if (!path) return undefined;
  const [, major = 0, minor = 0] = /(\d+)\.(\d+)/.exec(execFileSync(path, ['--version'], { encoding: 'utf8' })) ?? [];
  const [firstMajor = 0, firstMinor = 0] = firstWithStatements;
  const keepsStatements = Number(major) > firstMajor || (Number(major) === firstMajor && Number(minor) >= firstMinor);
  return { path, keepsStatements };
}

function findOnPath(name: string): string | undefined {
  // Debian puts it where only administrators look.
  const directories = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return directories.map((directory) => join(directory, name)).find((path) => existsSync(path));
}
