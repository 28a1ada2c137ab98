import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const debianPostgres = '/usr/lib/postgresql';

/**
 * Returns the directory of a Postgres that has all of the wanted programs, of which the embedded one has only some: the
 * directory that the variable `POSTGRES_BIN` names, or else the latest version of Debian's.
 */
export function findPostgresPrograms(wanted: readonly string[]): string | undefined {
  const versions = existsSync(debianPostgres) ? readdirSync(debianPostgres).map(Number) : [];
  const installed = versions.toSorted((a, b) => b - a).map((version) => join(debianPostgres, String(version), 'bin'));
  return [process.env.POSTGRES_BIN ?? '', ...installed].find((directory) =>
    wanted.every((program) => existsSync(join(directory, program))),
  );
}
