import type { Context } from '../context.ts';
import type { WithLongStatements } from '../database/long-statements.ts';
import { rowsOf } from '../database/statement.ts';
import { type CheckContext, checkLedger } from './ledger-check.service.ts';

/**
 * Checks the ledger of each merchant and shows in `/metrics` how many rows break an invariant. It changes nothing.
 * See docs/decisions/money.md, "A job checks the ledger, merchant by merchant".
 */
export async function checkBooks(context: Context, withLongStatements: WithLongStatements): Promise<void> {
  let found = 0;
  let failure: unknown;
  await withLongStatements(async (em) => {
    for (const { id } of await rowsOf<{ id: string }>({ em })`select id from merchant order by id`) {
      // A merchant that cannot be checked must not hide what is wrong with another.
      found += await countBreaches({ ...context, em }, id).catch((error) => {
        failure = error;
        return 0;
      });
    }
  });
  context.metrics.ledgerBreaches.from(() => found);
  if (failure) throw failure;
}

async function countBreaches(context: CheckContext & Pick<Context, 'log'>, merchantId: string): Promise<number> {
  const { breaches, unlisted } = await checkLedger(context, { merchantId });
  const count = unlisted.reduce((all, more) => all + more.count, breaches.length);
  if (count > 0) context.log.error({ merchantId, count, breach: breaches[0] }, 'The ledger of a merchant is wrong');
  return count;
}
