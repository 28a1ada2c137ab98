import type { Context } from '../context.ts';
import type { WithLongStatements } from '../database/long-statements.ts';
import { rowsOf } from '../database/statement.ts';
import { checkLedger } from './ledger-check.service.ts';

/**
 * Checks the ledger of each merchant and shows in `/metrics` how many rows break an invariant. It changes nothing.
 * See docs/decisions/money.md, "A job checks the ledger, merchant by merchant".
 */
export async function checkBooks(context: Context, withLongStatements: WithLongStatements): Promise<void> {
  const found = await withLongStatements(async (em) => {
    let sum = 0;
    for (const { id } of await rowsOf<{ id: string }>({ em })`select id from merchant order by id`) {
      const { breaches, unlisted } = await checkLedger({ ...context, em }, { merchantId: id });
      const count = unlisted.reduce((all, more) => all + more.count, breaches.length);
      if (count > 0)
        context.log.error({ merchantId: id, count, breach: breaches[0] }, 'The ledger of a merchant is wrong');
      sum += count;
    }
    return sum;
  });
  context.metrics.ledgerBreaches.from(() => found);
}
