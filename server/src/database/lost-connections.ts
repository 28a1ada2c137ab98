/**
 * Gives connections that were lost in the middle of a transaction back to their pool. Kysely keeps a connection whose
 * `begin`, or whose `commit` and then `rollback`, failed, and each of them would take a place in the pool for good: as many
 * lost transactions as there are places, and nothing is ever answered again.
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
      // Whoever still holds it may release it once more, which the pool would take for a mistake.
      lost.release = () => {};
    });
  });
}
