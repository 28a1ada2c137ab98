/** The expected lines of a test are written by hand, so they do not depend on the tested code. */
import type { Database } from '../database/database.ts';
import type { TestMerchant } from '../server/tillhook.ts';

export interface MoneyRows {
  /** `order-1042 completed 1`: reference, status, number of attempts, and the reasons for a review. */
  payments: string[];
  /** `order-1042 1 paid`: the payment, the attempt's number and its outcome, or `open`. */
  attempts: string[];
  /** `payout-77 completed 25`: reference, status and fee. */
  transfers: string[];
  /** `refund-1 pending order-1042 300`: reference, status, and the payment with its refunded amount. */
  refunds: string[];
  /** `payment order-1042: collection 500000, processor_clearing -500000`: kind, reference and entries. */
  postings: string[];
  /** `collection 500000`: kind and balance of each account whose balance is not 0. */
  balances: string[];
  /** `order-1042 checkout.success`: reference and name. */
  events: string[];
  /**
   * `checkout.success to active pending 0`: event, endpoint, status, number of attempts, and the reason of the status.
   * `resent` marks a delivery that was resent, and `again` marks the new delivery that resends it.
   */
  deliveries: string[];
  /** The rows of `pending_delivery`, such as `checkout.success to active pending 0`. */
  queued: string[];
  /** `checkout.success to active 1 200`: event, endpoint, number of the attempt, and its HTTP status or error. */
  deliveryAttempts: string[];
  /** `active 1 0`: endpoint, number of successful attempts, number of failed attempts. */
  counted: string[];
}

export const noRows: MoneyRows = {
  payments: [],
  attempts: [],
  transfers: [],
  refunds: [],
  postings: [],
  balances: [],
  events: [],
  deliveries: [],
  queued: [],
  deliveryAttempts: [],
  counted: [],
};

export function paidRows(): MoneyRows {
  return {
    ...noRows,
    ...published('order-1042', 'checkout.success'),
    payments: ['order-1042 completed 1'],
    attempts: ['order-1042 1 paid'],
    postings: ['payment order-1042: collection 500000, processor_clearing -500000'],
    balances: ['collection 500000', 'processor_clearing -500000'],
  };
}

export function published(reference: string, name: string): Pick<MoneyRows, 'events' | 'deliveries' | 'queued'> {
  return {
    events: [`${reference} ${name}`],
    deliveries: [`${name} to active pending 0`, `${name} to inactive skipped 0 endpoint_inactive`],
    queued: [`${name} to active pending 0`],
  };
}

/** Deliveries to the inactive endpoint are skipped. */
export async function addEndpoints({ query }: Database, { id }: TestMerchant, receiver = 'http://127.0.0.1:9') {
  await query(
    `insert into webhook_endpoint (id, merchant_id, mode, url, sealed_secret, secret_last4, events, is_active, created_at)
     select gen_random_uuid(), $1, mode, $2 || name, '', '', '*', name = '/active', now()
     from unnest(array['test', 'live']) as mode, unnest(array['/active', '/inactive']) as name`,
    [id, receiver],
  );
}

export async function moneyRowsOf({ query }: Database, merchantId: string): Promise<MoneyRows> {
  const [rows] = await query<MoneyRows>(select, [merchantId]);
  if (!rows) throw new Error("The query of the merchant's rows returned no row.");
  return rows;
}

const lines = (line: string, from: string) =>
  `(select coalesce(json_agg(line order by line collate "C"), '[]') from (select ${line} as line from ${from}) as each)`;

const endpoint = `substring(endpoint.url from '[^/]+$')`;

const select = `select
  ${lines(`concat_ws(' ', reference, status, attempts, review_reason, nullif(array_to_string(more_review_reasons, ' '), ''))`, 'payment where merchant_id = $1')} as payments,
  ${lines(
    `concat_ws(' ', reference, number, coalesce(outcome, 'open'))`,
    'payment join payment_attempt on payment_id = payment.id where merchant_id = $1',
  )} as attempts,
  ${lines(`concat_ws(' ', reference, status, fee)`, 'transfer where merchant_id = $1')} as transfers,
  ${lines(
    `concat_ws(' ', refund.reference, refund.status, payment.reference, amount_refunded)`,
    'refund join payment on payment.id = payment_id where refund.merchant_id = $1',
  )} as refunds,
  ${lines(
    `concat_ws(' ', posting.kind, reference) || ': ' ||
       string_agg(account.kind || ' ' || amount, ', ' order by account.kind collate "C", abs(amount) desc)`,
    `ledger_transaction as posting join ledger_entry on transaction_id = posting.id
     join ledger_account as account on account.id = account_id where posting.merchant_id = $1 group by posting.id`,
  )} as postings,
  ${lines(`kind || ' ' || balance`, 'ledger_account where merchant_id = $1 and balance <> 0')} as balances,
  ${lines(`concat_ws(' ', reference, name)`, 'event where merchant_id = $1')} as events,
  ${lines(
    `concat_ws(' ', event.name, 'to', ${endpoint}, status, attempt_count, status_reason,
       case when resent_at is not null then 'resent' end, case when resent_from is not null then 'again' end)`,
    `delivery join webhook_endpoint as endpoint on endpoint.id = endpoint_id left join event on event.id = event_id
     where delivery.merchant_id = $1`,
  )} as deliveries,
  ${lines(
    `concat_ws(' ', event.name, 'to', ${endpoint}, delivery.status, pending_delivery.attempt_count)`,
    `pending_delivery join webhook_endpoint as endpoint on endpoint.id = pending_delivery.endpoint_id
     left join delivery on delivery.id = delivery_id left join event on event.id = pending_delivery.event_id
     where endpoint.merchant_id = $1`,
  )} as queued,
  ${lines(
    `concat_ws(' ', event.name, 'to', ${endpoint}, attempt, coalesce(status_code::text, error))`,
    `delivery join delivery_attempt on delivery_id = delivery.id
     join webhook_endpoint as endpoint on endpoint.id = endpoint_id left join event on event.id = event_id
     where delivery.merchant_id = $1`,
  )} as "deliveryAttempts",
  ${lines(
    `concat_ws(' ', ${endpoint}, success_count, failure_count)`,
    'webhook_endpoint as endpoint where merchant_id = $1 and success_count + failure_count > 0',
  )} as counted`;
