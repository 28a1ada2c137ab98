import { findPostgresPrograms, findProgram } from '@tillhook/test/support/programs/installed-programs.ts';

export interface PatroniPrograms {
  patroni: string;
  etcd: string;
  haproxy: string;
  /** The directory of Postgres programs such as `pg_rewind` and `pg_basebackup`. */
  postgres: string;
}

/**
 * Returns the programs, or the names of the missing ones. `PATRONI`, `ETCD` and `HAPROXY` can name other programs than
 * the installed ones, and `POSTGRES_BIN` another directory.
 */
export function findPatroni(): PatroniPrograms | { missing: string[] } {
  const found = {
    patroni: findProgram('patroni', 'PATRONI'),
    etcd: findProgram('etcd', 'ETCD'),
    haproxy: findProgram('haproxy', 'HAPROXY'),
    postgres: findPostgresPrograms(['postgres', 'initdb', 'pg_basebackup', 'pg_rewind']),
  };
  const missing = Object.entries(found).flatMap(([name, path]) => (path === undefined ? [name] : []));
  return missing.length > 0 ? { missing } : (found as PatroniPrograms);
}
