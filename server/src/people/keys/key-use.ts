/**
 * Writes when a key was last used, exact to a minute. The request does not wait for the write and does not fail with
 * it. The update checks the stored time again, so that several processes write it once a minute.
 */
import { type Context, withFreshEntityManager } from '../../context.ts';
import { run } from '../../platform/database/statement.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import type { CallingKey } from './calling-key.ts';

export interface KeyUses {
  note(context: Context, key: CallingKey): void;
}

export function createKeyUses(): KeyUses {
  /** The ids of keys whose use is being written, so that many calls at the same moment cause one statement. */
  const writesInProgress = new Set<string>();
  return {
    note(context, { id, isUseRecorded }) {
      if (isUseRecorded || writesInProgress.has(id)) return;
      writesInProgress.add(id);
      writeUse(context, id)
        .catch((error) =>
          context.log.warn({ err: error, apiKeyId: id }, 'The time of the last use of an API key could not be saved'),
        )
        .finally(() => writesInProgress.delete(id));
    },
  };
}

/** Uses a separate entity manager, because the request's one belongs to the operation's transaction. */
async function writeUse(context: Context, id: string): Promise<void> {
  const now = context.clock.now();
  await inTransaction(withFreshEntityManager(context), async (tx) => {
    await run(tx)`
      update api_key set last_used_at = ${now}
      where id = ${id} and (last_used_at is null or last_used_at <= ${now}::timestamptz - interval '1 minute')`;
  });
}
