/** The expected money of one merchant, in memory. The model is so simple that a reader sees that it is correct. */

import type { PaymentStatus, ReviewReason } from '@tillhook/server/src/money/payments/payment.entity.ts';
import type { AttemptOutcome } from '@tillhook/server/src/money/payments/payment-attempt.entity.ts';
import type { RefundStatus } from '@tillhook/server/src/money/refunds/refund.entity.ts';
import type { TransferStatus } from '@tillhook/server/src/money/transfers/transfer.entity.ts';
import type { AccountKind } from '@tillhook/server/src/money/wallets/ledger-account.entity.ts';
import type { Money } from '../ledger.ts';

export interface ModelPayment {
  id: string;
  reference: string;
  accessCode: string;
  status: PaymentStatus;
  amount: number;
  currency: string;
  attempts: number;
  wasDeclined: boolean;
  reviews: Set<ReviewReason>;
  refunded: number;
  /** The time of expiry, in milliseconds since 1970. */
  expiresAt: number;
}

export interface ModelAttempt {
  id: string;
  payment: ModelPayment;
  outcome: AttemptOutcome | null;
}

export interface ModelTransfer {
  id: string;
  reference: string;
  status: TransferStatus;
  amount: number;
  fee: number;
  currency: string;
}

export interface ModelRefund {
  id: string;
  reference: string;
  status: RefundStatus;
  amount: number;
  payment: ModelPayment;
}

export interface Model {
  now: number;
  /** The fee of each new transfer, in the merchant's currency. */
  fee: number;
  payments: ModelPayment[];
  attempts: ModelAttempt[];
  transfers: ModelTransfer[];
  refunds: ModelRefund[];
  topUps: string[];
  /** Balances by currency and kind of account, such as `NGN transfer`. */
  balances: Map<string, number>;
  /** The reference, the name and the optional reason of each event, oldest first. */
  events: string[];
  rareOutcomes: RareOutcome[];
}

export type RareOutcome =
  | 'third decline'
  | 'came back'
  | 'paid after it had failed'
  | 'paid after it had expired'
  | 'paid twice'
  | 'paid otherwise'
  | 'resolved as completed'
  | 'resolved as failed';

export function newModel(now: number): Model {
  const nothing = { payments: [], attempts: [], transfers: [], refunds: [], topUps: [], events: [], rareOutcomes: [] };
  return { now, fee: 0, balances: new Map(), ...nothing };
}

interface Movement {
  from: AccountKind;
  to: AccountKind;
  amount: number;
  currency: string;
}

export function move({ balances }: Model, { from, to, amount, currency }: Movement): void {
  for (const [kind, change] of [
    [from, -amount],
    [to, amount],
  ] as const) {
    const account = `${currency} ${kind}`;
    balances.set(account, (balances.get(account) ?? 0) + change);
  }
}

export function balanceOf({ balances }: Model, kind: AccountKind, currency: string): number {
  return balances.get(`${currency} ${kind}`) ?? 0;
}

const compareText = (one = '', other = '') => (one < other ? -1 : Number(one > other));

export function expectedMoney({ balances, payments, transfers, refunds, events }: Model): Money {
  return {
    balances: Object.fromEntries([...balances].filter(([, balance]) => balance !== 0).sort()),
    payments: payments.map(({ reference, status, attempts, reviews }) =>
      [reference, status, attempts, ...[...reviews].sort()].join(' '),
    ),
    declined: payments.filter(({ wasDeclined }) => wasDeclined).map(({ reference }) => reference),
    transfers: transfers.map(({ reference, status, fee }) => `${reference} ${status} ${fee}`),
    refunds: refunds.map(({ reference, status, payment }) => `${reference} ${status} ${payment.refunded}`),
    // Payments that expire at the same time have events in an undefined order, so events are sorted by reference.
    events: events.toSorted((one, other) => compareText(one.split(' ')[0], other.split(' ')[0])),
  };
}
