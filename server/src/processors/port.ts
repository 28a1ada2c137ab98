/** Processors are called outside any transaction and return verdicts, which the caller then applies. */

import type { IncomingHttpHeaders } from 'node:http';
import type { Card, Decline } from '../kit/card.ts';
import type { Mode } from '../kit/mode.ts';
import type { BankAccount, MobilePhone, PaymentMethodType } from '../kit/payment-method.ts';

/** A mode without a processor takes no payments. */
export type Processors = Partial<Record<Mode, CheckoutProcessor>>;

export type CheckoutProcessor = CardProcessor | RedirectProcessor;

/** A processor for cards that the customer types into our own page. */
export interface CardProcessor extends Processor {
  readonly takes: 'card';
  /** The only cards that the processor accepts. The page refuses any other card. */
  readonly testCards: readonly TestCard[];
  start(charge: Charge, card: CardDetails): Promise<Verdict>;
  finishStep(charge: Charge, hasPassed: boolean): Promise<Verdict>;
}

/** A processor that asks for the card on its own page, so that no card data reaches this service. */
export interface RedirectProcessor extends Processor {
  readonly takes: 'redirect';
  accepts(amount: bigint, currency: string): boolean;
  start(charge: Charge): Promise<Verdict>;
  /** Null for an event that is not about our payments. Throws `InvalidSignatureError`. */
  parseWebhook(body: Buffer, headers: IncomingHttpHeaders): Promise<ProcessorEvent | null>;
}

interface Processor {
  readonly name: string;
  // Every processor takes cards. Without these two, it takes nothing else.
  // See docs/decisions/processors.md, "The ways to pay are what a processor offers".
  readonly bankTransfers?: BankTransfers;
  readonly mobileMoney?: MobileMoney;
  status(charge: Charge): Promise<Verdict>;
  /** The verdict is `paid` if the attempt was charged already. */
  cancel(charge: Charge): Promise<Verdict>;
  /** The caller repeats the same refund order until the processor answers. */
  refund(order: RefundOrder): Promise<RefundVerdict>;
  refundStatus(order: RefundOrder): Promise<RefundVerdict>;
}

/**
 * The processor opens an account for one attempt, and reports each arrival of money as `paid` with a `depositId`, also
 * after the attempt was cancelled.
 */
export interface BankTransfers {
  accepts(amount: bigint, currency: string): boolean;
  /** Returns the same account when it is called again for the same attempt. */
  open(charge: Charge): Promise<Verdict>;
}

/** The operator asks the customer on the phone. */
export interface MobileMoney {
  /** Empty for a currency without mobile money. */
  operators(currency: string): readonly string[];
  /** Digits, such as `254`. */
  countryCode(currency: string): string;
  /** The only phones that the processor accepts. Without this function, it accepts every phone. */
  testNumbers?(currency: string): readonly TestPhone[];
  request(charge: Charge, phone: MobilePhone): Promise<Verdict>;
}

export interface TestPhone {
  number: string;
  outcome: 'confirms' | 'declines' | 'lacks_funds' | 'times_out';
  decline?: Decline;
}

/** The ways to pay an amount, cards first. `allowed` are those to which the merchant restricts the payment. */
export function methodsOf(
  { bankTransfers, mobileMoney }: Pick<CheckoutProcessor, 'bankTransfers' | 'mobileMoney'>,
  { amount, currency }: Pick<Charge, 'amount' | 'currency'>,
  allowed: readonly PaymentMethodType[] | null | undefined,
): PaymentMethodType[] {
  const offered: PaymentMethodType[] = ['card'];
  if (bankTransfers?.accepts(amount, currency)) offered.push('bank_transfer');
  if (mobileMoney?.operators(currency).length) offered.push('mobile_money');
  return allowed ? offered.filter((method) => allowed.includes(method)) : offered;
}

export interface Charge {
  /** The attempt's id is also its idempotency key at the processor, so that an attempt is never charged twice. */
  attemptId: string;
  reference: string;
  amount: bigint;
  currency: string;
  customerEmail: string;
  description: string | null;
  locale: string | null;
  /** The merchant's name on the customer's card statement; null lets the processor decide. */
  statementName: string | null;
  startedAt: Date;
  expiresAt: Date;
  paidUrl: string;
  backUrl: string;
  /** The processor's id for the attempt; null if we never received its answer. */
  processorId: string | null;
  method: PaymentMethodType;
  now: Date;
}

/** Card details are in memory for the length of one request, and are never logged or stored. */
export interface CardDetails {
  number: string;
  expiryMonth: number;
  expiryYear: number;
  cvc: string;
  name: string;
}

export interface TestCard {
  number: string;
  brand: Card['brand'];
  decline?: Decline;
  asksForStep?: boolean;
  /** The delayed result of a refund to the card; without it, the refund completes at once. */
  lateRefund?: { afterSeconds: number; result: 'completed' | 'failed' };
}

/** The documentation shows this text for a test card that is not declined. */
export function successOf({ asksForStep, lateRefund }: Pick<TestCard, 'asksForStep' | 'lateRefund'>): string {
  if (asksForStep) return 'Asks for 3-D Secure';
  if (!lateRefund) return 'Succeeds';
  const { afterSeconds, result } = lateRefund;
  return `Succeeds; a refund ${result === 'failed' ? 'fails' : 'completes'} after ${afterSeconds} seconds`;
}

/**
 * - `paid`: `depositId` is the processor's id for money that came by bank transfer. `askedForStep` says whether the bank asked the cardholder to confirm (3-D Secure).
 * - `cancelled`: nothing was charged, and nothing can be. `isUnsent`: no customer was sent to the processor's page.
 * - `open`: the customer still has to act, at `actionUrl` or, without it, on our hosted page, in the bank or on the phone.
 * - `unknown`: the processor gave no answer, and the payment stays as it is.
 */
export type Verdict =
  | { result: 'paid'; amount: bigint; currency: string; card?: Card; askedForStep?: boolean; depositId?: string }
  | ({ result: 'declined' } & Decline)
  | { result: 'cancelled'; decline?: Decline; isUnsent?: boolean }
  | { result: 'open'; processorId?: string; actionUrl?: string; account?: BankAccount; decline?: Decline }
  | { result: 'unknown' };

/** The message contains neither card data nor a key, so it may be logged. */
export class ProcessorError extends Error {
  override name = 'ProcessorError';
}

export interface RefundOrder {
  /** The refund's id is also its idempotency key at the processor, so that a repeated refund moves the money once. */
  refundId: string;
  reference: string;
  paymentReference: string;
  amount: bigint;
  currency: string;
  cardLast4: string | null;
  chargeId: string | null;
  /** The processor's id for the refund; null if we never received its answer. */
  processorId: string | null;
}

/** A `completed` refund can become `failed` later, because a bank can send the money back. */
export type RefundVerdict =
  | { result: 'unknown' }
  | (({ result: 'processing' | 'completed' } | { result: 'failed'; code: string; message: string }) & {
      processorId?: string;
      /** The delay before the next status check. When omitted: a minute, or no check after a final verdict. */
      checkAfterSeconds?: number;
    });

/** An event may arrive more than once, and events may arrive in any order. */
export type ProcessorEvent = AttemptEvent | RefundsEvent | DisputeEvent;

export interface AttemptEvent {
  about: 'attempt';
  id: string;
  attemptId: string;
  verdict: Verdict;
}

export interface RefundsEvent {
  about: 'refunds';
  id: string;
  refunds: readonly RefundNews[];
}

export interface RefundNews {
  /** The id of our refund; null if the event does not contain such an id. */
  refundId: string | null;
  attemptId: string;
  processorId: string;
  amount: bigint;
  currency: string;
  verdict: RefundVerdict;
}

export interface DisputeEvent {
  about: 'dispute';
  id: string;
  attemptId: string;
  /** `changed` stands for an event that neither opens nor closes the dispute. */
  news: 'opened' | 'changed' | DisputeOutcome;
  /** Until when the bank accepts evidence; null when no evidence is wanted. */
  dueAt: Date | null;
}

/** `undecided`: the dispute was closed without a decision of the bank. */
export type DisputeOutcome = 'won' | 'lost' | 'undecided';

/** The message may be logged. The cause contains the event, and must not be logged. */
export class InvalidSignatureError extends Error {
  override name = 'InvalidSignatureError';
}

export type PayoutProcessors = Partial<Record<Mode, PayoutProcessor>>;

export interface PayoutProcessor {
  readonly name: string;
  /** The caller repeats the same payout until the processor answers. */
  create(payout: Payout): Promise<PayoutVerdict>;
  status(payout: Payout): Promise<PayoutVerdict>;
}

/** The account number is in memory for the length of one call only. */
export interface Payout {
  /** The transfer's id is also its idempotency key at the processor, so that a repeated transfer is paid once. */
  transferId: string;
  reference: string;
  amount: bigint;
  currency: string;
  recipient: { name: string; accountNumber: string; bankCode: string };
  narration: string | null;
}

/** `reversed`: the recipient's bank sent a completed transfer back. */
export type PayoutVerdict =
  | { result: 'unknown' }
  | (({ result: 'processing' | 'completed' } | { result: 'failed' | 'reversed'; code: string; message: string }) & {
      /** The delay before the next status check. When omitted: a minute, or no check after a final verdict. */
      checkAfterSeconds?: number;
    });
