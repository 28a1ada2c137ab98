import type { Database } from '../database/database.ts';
import type { TestServer } from '../server/calls.ts';

/**
 * Returns the breaches that `tillhook ledger check` finds in all books, or in those of one merchant. There must never
 * be one.
 */
export function ledgerBreaches({ arrange }: Pick<TestServer, 'arrange'>, merchantId?: string): Promise<string[]> {
  return arrange('findLedgerBreaches', { merchantId });
}

/** The state of a merchant's money, in rows that two runs can compare. */
export interface Money {
  /** Balances other than 0, by currency and kind of the account. */
  balances: Record<string, number>;
  /** Reference, status, number of attempts, and the reason for a review if there is one. */
  payments: string[];
  /**
   * References of payments with a failure code, from a decline or from an operator's refusal. Completing a payment
   * clears it.
   */
  declined: string[];
  /** Reference, status and fee. */
  transfers: string[];
  /** Reference and status, and the amount that the payment shows as refunded. */
  refunds: string[];
  /** Reference and name of each event, and its reason if it has one. Events of one reference stand in their order. */
  events: string[];
}

export async function moneyOf(database: Database, merchantId: string): Promise<Money> {
  const [money] = await database.query<Money>(moneyOfMerchant, [merchantId]);
  if (!money) throw new Error('The statement returned no row, and it always returns one.');
  return money;
}

/** The reason in the stored text of an event's body, as SQL. */
export const reasonOfEvent = `substring(body from '"reason":"([^"]+)"')`;

const moneyOfMerchant = `
  select
    (select coalesce(json_object_agg(currency || ' ' || kind, balance order by (currency || ' ' || kind) collate "C"), '{}')
      from ledger_account where merchant_id = $1 and balance <> 0) as balances,
    (select coalesce(json_agg(concat_ws(' ', reference, status, attempts, review_reason, nullif(array_to_string(more_review_reasons, ' '), '')) order by reference collate "C"), '[]')
      from payment where merchant_id = $1) as payments,
    (select coalesce(json_agg(reference order by reference collate "C"), '[]')
      from payment where merchant_id = $1 and failure_code is not null) as declined,
    (select coalesce(json_agg(reference || ' ' || status || ' ' || fee order by reference collate "C"), '[]')
      from transfer where merchant_id = $1) as transfers,
    (select coalesce(json_agg(refund.reference || ' ' || refund.status || ' ' || amount_refunded
        order by refund.reference collate "C"), '[]')
      from refund join payment on payment.id = payment_id where refund.merchant_id = $1) as refunds,
    (select coalesce(json_agg(concat_ws(' ', reference, name, ${reasonOfEvent}) order by reference collate "C", id), '[]')
      from event where merchant_id = $1) as events`;
