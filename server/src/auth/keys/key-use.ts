/**
 * When a key was last used, exact to a minute. It is written beside the request, which neither waits for it nor fails with
 * it, and the row is asked again by the database, so that many processes write it once.
 */
import { type Context, ofItsOwn } from '../../context.ts';
import { run } from '../../database/statement.ts';
import { inTransaction } from '../../database/transaction.ts';
import type { CallingKey } from './calling-key.ts';

export interface KeyUses {
  note(context: Context, key: CallingKey): void;
}

export function createKeyUses(): KeyUses {
  /** Keys whose use is being written: a burst of calls at the end of a minute is one statement. */
  const underWay = new Set<string>();
  return {
    note(context, { id, isUseNoted }) {
      if (isUseNoted || underWay.has(id)) return;
      underWay.add(id);
      writeUse(context, id)
        .catch((error) => context.log.warn({ err: error, apiKeyId: id }, 'The last use of a key was not written'))
        .finally(() => underWay.delete(id));
    },
  };
}

/** With an entity manager of its own: the request's belongs to its transaction. */
async function writeUse(context: Context, id: string): Promise<void> {
  const now = context.clock.now();
  await inTransaction(ofItsOwn(context), async (tx) => {
    await run(tx)`
      update api_key set last_used_at = ${now}
      where id = ${id} and (last_used_at is null or last_used_at <= ${now}::timestamptz - interval '1 minute')`;
  });
}
