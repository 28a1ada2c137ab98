/** Money is counted at the moment at which it moved, and not at the creation of its payment. */
import { sql } from 'kysely';
import type { Context, WithPrincipal } from '../context.ts';
import { movedMoney } from '../money/wallets/moved-money.service.ts';
import { rowsOutsideTransaction } from '../platform/database/statement.ts';
import { intervalStart, type OfInterval } from './counts.service.ts';
import type { Span } from './span.ts';

/** Amounts are in the currency's minor unit. */
export interface Volume {
  currency: string;
  payments: number;
  gross: bigint;
  /** Without the refunds that failed, at the moment of their failure. */
  refunds: bigint;
  /** Fees of transfers, without those that were returned. */
  fees: bigint;
}

type Row = Record<'gross' | 'refunds' | 'fees', string> &
  Pick<OfInterval<Volume>, 'startsAt' | 'currency' | 'payments'>;

export async function countVolume(context: Context & WithPrincipal, span: Span): Promise<OfInterval<Volume>[]> {
  const rows = await rowsOutsideTransaction<Row>(context)`
    select extract(epoch from ${intervalStart(span, sql`moved_at`)})::float8 * 1000 as "startsAt", currency,
      sum(payments)::float8 as payments, sum(gross)::text as gross, sum(refunds)::text as refunds,
      sum(fees)::text as fees
    from ${movedMoney(context, span)}
    group by 1, currency
    order by currency`;
  return rows.map(({ gross, refunds, fees, ...row }) => ({
    ...row,
    gross: BigInt(gross),
    refunds: BigInt(refunds),
    fees: BigInt(fees),
  }));
}

export function totalVolume(volumes: readonly Volume[]): Volume[] {
  const byCurrency = Map.groupBy(volumes, ({ currency }) => currency);
  return [...byCurrency].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, all]) => all.reduce(add));
}

const add = (one: Volume, other: Volume): Volume => ({
  currency: one.currency,
  payments: one.payments + other.payments,
  gross: one.gross + other.gross,
  refunds: one.refunds + other.refunds,
  fees: one.fees + other.fees,
});
