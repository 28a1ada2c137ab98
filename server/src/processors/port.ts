/**
 * The interfaces of payment and payout processors. A processor is called outside any transaction and returns a verdict.
 * The caller then settles the attempt, refund or transfer by that verdict.
 */

import type { IncomingHttpHeaders } from 'node:http';
import type { Card, Decline } from '../kit/card.ts';
import type { Mode } from '../kit/mode.ts';

/** The payment processor of each mode. A mode without a processor takes no payments. */
export type Processors = Partial<Record<Mode, CheckoutProcessor>>;

export type CheckoutProcessor = CardProcessor | RedirectProcessor;

/** A processor for cards that the customer types into our own page. */
export interface CardProcessor extends Processor {
  readonly takes: 'card';
  /** The only cards that the processor accepts. The page refuses any other card before it calls the processor. */
  readonly testCards: readonly TestCard[];
  start(charge: Charge, card: CardDetails): Promise<Verdict>;
  /** Completes the 3-D Secure step, which the customer passed or failed. */
  finishStep(charge: Charge, hasPassed: boolean): Promise<Verdict>;
}

/** A processor that asks for the card on its own page, so that no card data reaches this service. */
export interface RedirectProcessor extends Processor {
  readonly takes: 'redirect';
  accepts(amount: bigint, currency: string): boolean;
  start(charge: Charge): Promise<Verdict>;
  /**
   * Returns null for an event that is not about our payments. Throws `InvalidSignatureError` when the signature in the
   * headers does not match the body.
   */
  parseWebhook(body: Buffer, headers: IncomingHttpHeaders): Promise<ProcessorEvent | null>;
}

interface Processor {
  readonly name: string;
  /** Returns the verdict on an attempt that is open, or whose verdict was lost on its way to us. */
  status(charge: Charge): Promise<Verdict>;
  /** Cancels the attempt, so that it can no longer be charged. The verdict is `paid` if it was charged already. */
  cancel(charge: Charge): Promise<Verdict>;
  /** Sends a refund. The caller repeats the same order until the processor answers. */
  refund(order: RefundOrder): Promise<RefundVerdict>;
  /** Returns the verdict on a refund that the processor has accepted. */
  refundStatus(order: RefundOrder): Promise<RefundVerdict>;
}

/** An attempt to pay, as the processor receives it. The same attempt always gives the same charge. */
export interface Charge {
  /**
   * The attempt's id, which is also the idempotency key at the processor, so that an attempt is never charged twice.
   */
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
  /** The customer returns to this address after paying. */
  paidUrl: string;
  /** The customer returns to this address without having paid. */
  backUrl: string;
  /** The processor's id for the attempt; null if we never received its answer. */
  processorId: string | null;
}

/** A card as the customer typed it. It is in memory for the length of one request, and is never logged or stored. */
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
  /** The reason why the card is declined. A card without a reason is charged. */
  decline?: Decline;
  /** Whether the card asks the customer for a 3-D Secure step first. */
  asksForStep?: boolean;
  /** The delayed result of a refund to the card; without it, the refund completes at once. */
  lateRefund?: { afterSeconds: number; result: 'completed' | 'failed' };
}

/** Describes a test card that is not declined. The documentation shows this text. */
export function successOf({ asksForStep, lateRefund }: Pick<TestCard, 'asksForStep' | 'lateRefund'>): string {
  if (asksForStep) return 'Asks for 3-D Secure';
  if (!lateRefund) return 'Succeeds';
  const { afterSeconds, result } = lateRefund;
  return `Succeeds; a refund ${result === 'failed' ? 'fails' : 'completes'} after ${afterSeconds} seconds`;
}

/**
 * The result of a charge.
 * - `paid`: `askedForStep` says whether the bank asked the cardholder to confirm (3-D Secure).
 * - `cancelled`: nothing was charged, and nothing can be. `isUnsent` says that no customer was ever sent to the
 *   processor's page. An earlier card may have been declined.
 * - `open`: the customer still has to act, at `actionUrl` or, without it, on our hosted page. An earlier card may have
 *   been declined.
 * - `unknown`: the processor gave no answer. The payment stays as it is, neither paid nor declined.
 */
export type Verdict =
  | { result: 'paid'; amount: bigint; currency: string; card?: Card; askedForStep?: boolean }
  | ({ result: 'declined' } & Decline)
  | { result: 'cancelled'; decline?: Decline; isUnsent?: boolean }
  | { result: 'open'; processorId?: string; actionUrl?: string; decline?: Decline }
  | { result: 'unknown' };

/** A failed call to a processor. Its message contains neither card data nor a key, so it may be logged. */
export class ProcessorError extends Error {
  override name = 'ProcessorError';
}

/** A refund, as the processor receives it. The same refund always gives the same order. */
export interface RefundOrder {
  /**
   * The refund's id, which is also the idempotency key at the processor: a refund that is sent twice moves the money
   * once.
   */
  refundId: string;
  reference: string;
  paymentReference: string;
  amount: bigint;
  currency: string;
  /** The last four digits of the card that paid; null while the digits are not known. */
  cardLast4: string | null;
  /** The processor's id for the attempt that paid; null if the attempt has no such id. */
  chargeId: string | null;
  /** The processor's id for the refund; null if we never received its answer. */
  processorId: string | null;
}

/**
 * The result of a refund. `unknown` means that the processor gave no answer, and leaves the refund as it is. A
 * `completed` refund can become `failed` later, because a bank can send the money back.
 */
export type RefundVerdict =
  | { result: 'unknown' }
  | (({ result: 'processing' | 'completed' } | { result: 'failed'; code: string; message: string }) & {
      processorId?: string;
      /**
       * The delay before the next status check. The default is a minute. After a final verdict, the default is no
       * further check.
       */
      checkAfterSeconds?: number;
    });

/** A parsed webhook of a processor. An event may arrive more than once, and events may arrive in any order. */
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

/** The current state of one refund. The refund may have been created at the processor and not by us. */
export interface RefundNews {
  /** The id of our refund; null if the event does not contain such an id. */
  refundId: string | null;
  /** The attempt whose payment was refunded. */
  attemptId: string;
  processorId: string;
  amount: bigint;
  currency: string;
  verdict: RefundVerdict;
}

/** The customer has disputed the payment at the bank, or the dispute has changed. */
export interface DisputeEvent {
  about: 'dispute';
  id: string;
  attemptId: string;
  /** `changed` stands for an event that neither opens nor closes the dispute. */
  news: 'opened' | 'changed' | DisputeOutcome;
}

/** The merchant won or lost the dispute, or it was closed without a decision of the bank. */
export type DisputeOutcome = 'won' | 'lost' | 'undecided';

/**
 * Thrown for a webhook that the processor did not sign. The message names the setting that may be wrong, and may be
 * logged. The cause contains the event, and must not be logged.
 */
export class InvalidSignatureError extends Error {
  override name = 'InvalidSignatureError';
}

/** The payout processor of each mode. A mode without a processor makes no transfers. */
export type PayoutProcessors = Partial<Record<Mode, PayoutProcessor>>;

export interface PayoutProcessor {
  readonly name: string;
  /** Creates a transfer. The caller repeats the same payout until the processor answers. */
  create(payout: Payout): Promise<PayoutVerdict>;
  /** Returns the verdict on a transfer that the processor has accepted. */
  status(payout: Payout): Promise<PayoutVerdict>;
}

/** A transfer, as the processor receives it. The account number is in memory for the length of one call only. */
export interface Payout {
  /**
   * The transfer's id, which is also the idempotency key at the processor: a transfer that is created twice is paid
   * once.
   */
  transferId: string;
  reference: string;
  amount: bigint;
  currency: string;
  recipient: { name: string; accountNumber: string; bankCode: string };
  narration: string | null;
}

/**
 * The result of a transfer. `unknown` means that the processor gave no answer, and leaves the transfer as it is.
 * `reversed` means that the recipient's bank sent a completed transfer back.
 */
export type PayoutVerdict =
  | { result: 'unknown' }
  | (({ result: 'processing' | 'completed' } | { result: 'failed' | 'reversed'; code: string; message: string }) & {
      /**
       * The delay before the next status check. The default is a minute. After a final verdict, the default is no
       * further check.
       */
      checkAfterSeconds?: number;
    });
