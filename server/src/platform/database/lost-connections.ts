/**
 * Returns connections that were lost inside a transaction to their pool. Kysely never releases a connection if its
 * `begin` failed, or its `commit` and then its `rollback`. Each such connection would keep its place in the pool, and
 * when all places were lost, every query would wait for ever.
 * See docs/decisions/database.md, "A connection that was lost in a transaction is returned by us".
 */
import type { Pool, PoolClient } from 'pg';

export function returnLostConnections(pool: Pool): void {
  const held = new Set<unknown>();
  pool.on('acquire', (client) => held.add(client));
  pool.on('release', (_error, client) => held.delete(client));
  pool.on('connect', (client) => {
    client.once('end', () => {
      if (!held.has(client)) return;
      const lost = client as PoolClient;
      lost.release(true);
      // Kysely may release it a second time, which the pool would report as an error.
      lost.release = () => {};
    });
  });
}
