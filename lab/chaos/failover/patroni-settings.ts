/** The settings of Patroni, etcd and HAProxy. Patroni reads YAML, and JSON is valid YAML. */

export interface NodeAddress {
  name: string;
  postgresPort: number;
  /** The port at which the other nodes connect to the Postgres server of this node. */
  replicationPort: number;
  /** The port of Patroni's REST API. */
  restPort: number;
}

export interface ClusterSettings {
  password: string;
  etcdPort: number;
  postgresPrograms: string;
}

/**
 * The intervals of Patroni, in seconds. The lock of a lost primary expires after `ttl`, whose minimum is 20. Patroni
 * requires `loop_wait` + 2 × `retry_timeout` ≤ `ttl`.
 */
const pace = { ttl: 20, loop_wait: 5, retry_timeout: 5 };

/**
 * Synchronous, strict replication: the primary acknowledges a commit only when a standby also has the commit. Without
 * a standby, the primary acknowledges no commit. Only a standby that has every acknowledged commit can become the
 * primary.
 */
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

/**
 * Returns the settings with which HAProxy connects to the node whose Patroni reports that the node is the primary, and
 * closes all connections to other nodes.
 */
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
