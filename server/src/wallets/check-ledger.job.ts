import type { Context } from '../context.ts';
import type { WithLongStatements } from '../database/long-statements.ts';
import {
  type CheckContext,
  checkGuards,
  checkMerchants,
  createTally,
  type LedgerCheck,
  merchantsInTurn,
} from './ledger-check.service.ts';

/**
 * Checks the ledger of all merchants and shows in `/metrics` how many rows break an invariant. It changes nothing. When
 * the process stops, the check ends where it is, and the next one begins again.
 * See docs/decisions/money.md, "A job checks the ledger".
 */
export async function checkBooks(
  context: Context,
  withLongStatements: WithLongStatements,
  signal?: AbortSignal,
): Promise<void> {
  let found = 0;
  let failure: unknown;
  const check = async (own: CheckContext) => {
    const tally = createTally();
    tally.add(await checkGuards(own));
    found += noteBreaches(context, tally.sum());
    for await (const merchantIds of merchantsInTurn(own)) {
      // Merchants that cannot be checked must not hide what is wrong with others.
      found += await countBreaches({ ...own, log: context.log }, merchantIds, signal).catch((error) => {
        signal?.throwIfAborted();
        failure = error;
        return 0;
      });
    }
  };
  try {
    await withLongStatements((em) => check({ ...context, em }), signal);
  } catch (error) {
    if (signal?.aborted) return;
    throw error;
  }
  context.metrics.ledgerBreaches.from(() => found);
  if (failure) throw failure;
}

type LoggingContext = CheckContext & Pick<Context, 'log'>;

/** Checks the merchants together. When something is wrong, checks each of them, so that the log says whose books it is. */
async function countBreaches(
  context: LoggingContext,
  merchantIds: readonly string[],
  signal: AbortSignal | undefined,
): Promise<number> {
  const tally = createTally();
  for await (const part of checkMerchants(context, merchantIds, { signal })) tally.add(part);
  if (merchantIds.length === 1) return noteBreaches(context, tally.sum(), merchantIds[0]);
  if (countOf(tally.sum()) === 0) return 0;
  let found = 0;
  for (const merchantId of merchantIds) found += await countBreaches(context, [merchantId], signal);
  return found;
}

function noteBreaches({ log }: Pick<Context, 'log'>, checked: LedgerCheck, merchantId?: string): number {
  const count = countOf(checked);
  const [breach] = checked.breaches;
  const whose =
    merchantId === undefined ? 'The database no longer guards the ledger' : 'The ledger of a merchant is wrong';
  if (count > 0) log.error({ merchantId, count, breach }, whose);
  return count;
}

const countOf = ({ breaches, unlisted }: LedgerCheck): number =>
  unlisted.reduce((all, more) => all + more.count, breaches.length);
