/** What one merchant should have, kept in memory: as simple as money can be told, so that it is right at a glance. */

import type { PaymentStatus, ReviewReason } from '@tillhook/server/src/payments/payment.entity.ts';
import type { AttemptOutcome } from '@tillhook/server/src/payments/payment-attempt.entity.ts';
import type { TransferStatus } from '@tillhook/server/src/transfers/transfer.entity.ts';
import type { AccountKind } from '@tillhook/server/src/wallets/ledger-account.entity.ts';
import type { Money } from '../../support/money/ledger.ts';

export interface ModelPayment {
  id: string;
  reference: string;
  accessCode: string;
  status: PaymentStatus;
  amount: number;
  currency: string;
  attempts: number;
  wasDeclined: boolean;
  review: ReviewReason | null;
  /** In ms, as `now` is. */
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

export interface Model {
  now: number;
  /** Of each transfer from now on, in the merchant's own currency. */
  fee: number;
  payments: ModelPayment[];
  attempts: ModelAttempt[];
  transfers: ModelTransfer[];
  topUps: string[];
  /** By currency and kind, such as `NGN transfer`. */
  balances: Map<string, number>;
  /** References and names, oldest first. */
  events: string[];
  /** What seldom happens and did. */
  turns: Turn[];
}

/** What a payment comes to on paths that chance seldom takes. */
export type Turn =
  | 'third decline'
  | 'came back'
  | 'paid after it had failed'
  | 'paid after it had expired'
  | 'paid twice'
  | 'paid otherwise'
  | 'resolved as completed'
  | 'resolved as failed';

export function newModel(now: number): Model {
  const nothing = { payments: [], attempts: [], transfers: [], topUps: [], events: [], turns: [] };
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

/** What the database should say. An account that was never needed and an empty one are alike. */
export function expectedMoney({ balances, payments, transfers, events }: Model): Money {
  return {
    balances: Object.fromEntries([...balances].filter(([, balance]) => balance !== 0).sort()),
    payments: payments.map(({ reference, status, attempts, review }) =>
      [reference, status, attempts, review].filter((part) => part !== null).join(' '),
    ),
    declined: payments.filter(({ wasDeclined }) => wasDeclined).map(({ reference }) => reference),
    transfers: transfers.map(({ reference, status, fee }) => `${reference} ${status} ${fee}`),
    // Which of two payments that expired at once is told first is left open.
    events: events.toSorted((one, other) => compareText(one.split(' ')[0], other.split(' ')[0])),
  };
}
