import type { Context, Reader } from '@tillhook/server/src/context.ts';
import { checkLedger } from '@tillhook/server/src/money/wallets/check/check-ledger.service.ts';

interface LedgerContext extends Pick<Context, 'clock'> {
  em: Pick<Reader, 'fork'>;
  config: Pick<Context['config'], 'retentionDays'>;
}

/** Runs the ledger check in this process; `ledgerBreaches` runs the check in a server. */
export async function breachesIn(context: LedgerContext, merchantId?: string): Promise<string[]> {
  const { breaches } = await checkLedger({ ...context, em: context.em.fork() }, { merchantId });
  return breaches.map(
    ({ invariant, says, table, id, expected, found }) =>
      `${invariant}. ${says}: ${table} ${id} has ${found}, not ${expected}`,
  );
}
