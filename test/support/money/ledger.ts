import type { Database } from '../database/database.ts';
import type { TestServer } from '../server/calls.ts';

export function ledgerBreaches({ arrange }: Pick<TestServer, 'arrange'>, merchantId?: string): Promise<string[]> {
  return arrange('findLedgerBreaches', { merchantId });
}

/** This state contains no ids, so that a test can compare it with a model. */
export interface Money {
  balances: Record<string, number>;
  /** The reference, the status, the number of attempts and the reasons for a review of each payment. */
  payments: string[];
  /** The references of payments with a failure code, which the completion of a payment clears. */
  declined: string[];
  /** The reference, the status and the fee of each transfer. */
  transfers: string[];
  /** The reference and the status of each refund, and the refunded amount of its payment. */
  refunds: string[];
  /** The reference, the name and the optional reason of each event, sorted by reference and then by time. */
  events: string[];
}

export async function moneyOf(database: Database, merchantId: string): Promise<Money> {
  const [money] = await database.query<Money>(moneyOfMerchant, [merchantId]);
  if (!money) throw new Error("The query of the merchant's money returned no row.");
  return money;
}

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
