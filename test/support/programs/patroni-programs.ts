import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export interface PatroniPrograms {
  patroni: string;
  etcd: string;
  haproxy: string;
  /** The directory of the programs of Postgres, among them `pg_rewind` and `pg_basebackup`. */
  postgres: string;
}

const debianPostgres = '/usr/lib/postgresql';
const wantedOfPostgres = ['postgres', 'initdb', 'pg_basebackup', 'pg_rewind'];

/** Returns the installed programs, or the names of those that are missing. `POSTGRES_BIN` names the directory of Postgres. */
export function findPatroni(): PatroniPrograms | { missing: string[] } {
  const found = {
    patroni: findOnPath('patroni'),
    etcd: findOnPath('etcd'),
    haproxy: findOnPath('haproxy'),
    postgres: findPostgres(),
  };
  const missing = Object.entries(found).flatMap(([name, path]) => (path === undefined ? [name] : []));
  return missing.length > 0 ? { missing } : (found as PatroniPrograms);
}

function findOnPath(name: string): string | undefined {
  // Debian installs some of them in directories that are on the PATH of administrators only.
  const directories = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return directories.map((directory) => join(directory, name)).find((path) => existsSync(path));
}

/** Finds the latest version that has all programs. */
function findPostgres(): string | undefined {
  const versions = existsSync(debianPostgres) ? readdirSync(debianPostgres).map(Number) : [];
  const installed = versions.toSorted((a, b) => b - a).map((version) => join(debianPostgres, String(version), 'bin'));
  return [process.env.POSTGRES_BIN ?? '', ...installed].find((directory) =>
    wantedOfPostgres.every((program) => existsSync(join(directory, program))),
  );
}
