import type { Context } from '../../../context.ts';
import type { WithLongStatements } from '../../../platform/database/connection/long-statements.ts';
import {
  type CheckContext,
  checkGuards,
  checkMerchants,
  createTally,
  type LedgerCheck,
  merchantsInTurn,
} from './check-ledger.service.ts';

// See docs/decisions/money.md, "A job checks the ledger".
export async function checkLedgerAndReport(
  context: Context,
  withLongStatements: WithLongStatements,
  signal?: AbortSignal,
): Promise<void> {
  let found = 0;
  const failures: unknown[] = [];
  const check = async (own: CheckContext) => {
    const tally = createTally();
    tally.add(await checkGuards(own));
    found += logBreaches(context, tally.sum());
    for await (const merchantIds of merchantsInTurn(own))
      found += await countBreaches({ ...own, log: context.log, failures, signal }, merchantIds);
  };
  try {
    await withLongStatements((em) => check({ ...context, em }), signal);
    if (failures.length > 0) throw failures[0];
    show(context, found);
  } catch (error) {
    // After a failure, `/metrics` shows the breaches found so far, or the previous count if no breach was found.
    if (found > 0) show(context, found);
    if (!signal?.aborted) throw error;
  }
}

function show({ metrics, clock }: Context, found: number): void {
  const countedAt = clock.now().getTime() / 1000;
  metrics.ledgerBreaches.from(() => found);
  metrics.ledgerCounted.from(() => countedAt);
}

interface Checking extends CheckContext, Pick<Context, 'log'> {
  /** The errors that ended checks of single merchants. The check continues with the other merchants. */
  failures: unknown[];
  signal: AbortSignal | undefined;
}

/** After a breach or a failure, each merchant is checked alone, so that the log names the merchant. */
async function countBreaches(context: Checking, merchantIds: readonly string[]): Promise<number> {
  const checked = await checkTogether(context, merchantIds);
  if (merchantIds.length === 1) return checked ? logBreaches(context, checked, merchantIds[0]) : 0;
  if (checked && countOf(checked) === 0) return 0;
  let found = 0;
  for (const merchantId of merchantIds) found += await countBreaches(context, [merchantId]);
  return found;
}

async function checkTogether(context: Checking, merchantIds: readonly string[]): Promise<LedgerCheck | undefined> {
  const { failures, signal } = context;
  const tally = createTally();
  try {
    for await (const found of checkMerchants(context, merchantIds, { signal })) tally.add(found);
    return tally.sum();
  } catch (error) {
    signal?.throwIfAborted();
    if (merchantIds.length === 1) failures.push(error);
    return undefined;
  }
}

function logBreaches({ log }: Pick<Context, 'log'>, checked: LedgerCheck, merchantId?: string): number {
  const count = countOf(checked);
  const [breach] = checked.breaches;
  const whose =
    merchantId === undefined
      ? 'A trigger, constraint or index that protects the ledger is missing'
      : 'The ledger of a merchant is wrong';
  if (count > 0) log.error({ merchantId, count, breach }, whose);
  return count;
}

const countOf = ({ breaches, unlisted }: LedgerCheck): number =>
  unlisted.reduce((all, more) => all + more.count, breaches.length);
