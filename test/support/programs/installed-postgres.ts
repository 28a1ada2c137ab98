import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const debianPostgres = '/usr/lib/postgresql';
const wanted = ['initdb', 'pg_ctl', 'pg_dump', 'pg_restore', 'pg_basebackup'];

/**
 * Returns the directory with the programs of a Postgres that can back up and restore, which the embedded one has not: the
 * directory that the variable `POSTGRES_BIN` names, or else the latest version of Debian's.
 */
export function findPostgresPrograms(): string | undefined {
  const versions = existsSync(debianPostgres) ? readdirSync(debianPostgres).map(Number) : [];
  const installed = versions.toSorted((a, b) => b - a).map((version) => join(debianPostgres, String(version), 'bin'));
  return [process.env.POSTGRES_BIN ?? '', ...installed].find((directory) =>
    wanted.every((program) => existsSync(join(directory, program))),
  );
}
