import { findPostgresPrograms, findProgram } from '@tillhook/test/support/programs/installed-programs.ts';

export interface PatroniPrograms {
  patroni: string;
  etcd: string;
  haproxy: string;
  postgres: string;
}

/** `PATRONI`, `ETCD`, `HAPROXY` and `POSTGRES_BIN` (a directory) in the environment replace the installed programs. */
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
