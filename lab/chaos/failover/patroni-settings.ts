/** Patroni reads YAML, and JSON is valid YAML. */

export interface NodeAddress {
  name: string;
  postgresPort: number;
  replicationPort: number;
  restPort: number;
}

export interface ClusterSettings {
  password: string;
  etcdPort: number;
  postgresPrograms: string;
}

/** The values are in seconds. Patroni requires `loop_wait` + 2 × `retry_timeout` ≤ `ttl`, and `ttl` is at least 20. */
const pace = { ttl: 20, loop_wait: 5, retry_timeout: 5 };

/** The primary acknowledges a commit only when a standby also has it, so failover loses no acknowledged commit. */
const synchronous = { synchronous_mode: true, synchronous_mode_strict: true };

export function patroniSettings(
  { name, postgresPort, replicationPort, restPort }: NodeAddress,
  { password, etcdPort, postgresPrograms }: ClusterSettings,
  home: string,
): string {
  const restAddress = `127.0.0.1:${restPort}`;
  return JSON.stringify({
    scope: 'tillhook',
    name,
    restapi: { listen: restAddress, connect_address: restAddress },
    etcd3: { hosts: `127.0.0.1:${etcdPort}` },
    bootstrap: {
      dcs: {
        ...pace,
        ...synchronous,
        postgresql: { use_pg_rewind: true, use_slots: true, parameters: { max_connections: 200 } },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'],
    },
    postgresql: {
      listen: `127.0.0.1:${postgresPort}`,
      connect_address: `127.0.0.1:${replicationPort}`,
      data_dir: `${home}/data`,
      bin_dir: postgresPrograms,
      pgpass: `${home}/pgpass`,
      authentication: {
        superuser: { username: 'postgres', password },
        replication: { username: 'replicator', password },
      },
      pg_hba: ['host all all 127.0.0.1/32 scram-sha-256', 'host replication replicator 127.0.0.1/32 scram-sha-256'],
      parameters: { unix_socket_directories: home },
    },
  });
}

export function haproxySettings(port: number, nodes: readonly NodeAddress[]): string {
  const servers = nodes.map(
    ({ name, postgresPort, restPort }) => `  server ${name} 127.0.0.1:${postgresPort} check port ${restPort}`,
  );
  return `defaults
  mode tcp
  timeout connect 2s
  timeout client 30m
  timeout server 30m
  timeout check 2s
listen postgres
  bind 127.0.0.1:${port}
  option httpchk GET /primary
  http-check expect status 200
  default-server inter 1s fall 3 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
`;
}
