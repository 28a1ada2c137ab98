import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findProgram } from '../programs/installed-programs.ts';

/** The first version of PgBouncer that can track prepared statements. */
const firstWithStatements = [1, 21];

export interface PgBouncerProgram {
  path: string;
  /** Whether it knows `max_prepared_statements`. */
  keepsStatements: boolean;
}

const built = fileURLToPath(new URL('../../services/pgbouncer/dist/pgbouncer', import.meta.url));

/** Returns the program that the variable `PGBOUNCER` names, or else the one that was built here, or else the installed one. */
export function findPgBouncer(): PgBouncerProgram | undefined {
  const path = process.env.PGBOUNCER || (existsSync(built) ? built : findProgram('pgbouncer'));
  if (!path) return undefined;
  const [, major = 0, minor = 0] = /(\d+)\.(\d+)/.exec(execFileSync(path, ['--version'], { encoding: 'utf8' })) ?? [];
  const [firstMajor = 0, firstMinor = 0] = firstWithStatements;
  const keepsStatements = Number(major) > firstMajor || (Number(major) === firstMajor && Number(minor) >= firstMinor);
  return { path, keepsStatements };
}
