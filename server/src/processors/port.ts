/**
 * What payments, refunds and transfers need from a processor. A processor is called with no transaction open and returns a
 * verdict. The caller settles the attempt or transfer by the verdict.
 */

import type { Card, Decline } from '../kit/card.ts';
import type { Mode } from '../kit/mode.ts';

/** A card as the customer typed it. It is in memory for the length of one request, and is never logged or stored. */
export interface CardDetails {
  number: string;
  expiryMonth: number;
  expiryYear: number;
  cvc: string;
  name: string;
}

/** An attempt to pay, as a processor needs it. The same attempt always gives the same charge. */
export interface Charge {
  /** It is the idempotency key at the processor, so that an attempt is never charged twice. */
  attemptId: string;
  reference: string;
  amount: bigint;
  currency: string;
  customerEmail: string;
  description: string | null;
  locale: string | null;
  /** What the customer reads on the statement of the card; null when the processor decides. */
  statementName: string | null;
  startedAt: Date;
  expiresAt: Date;
  /** The addresses that the customer returns to: after paying, and without having paid. */
  paidUrl: string;
  backUrl: string;
  /** The processor's id for the attempt; null when its answer never reached us. */
  processorId: string | null;
}

/**
 * What became of a charge. `open`: the customer has a step left, at `actionUrl` or, without it, on the
 * hosted page; an open charge may have had a decline. `cancelled`: nothing was charged and nothing
 * will be, perhaps after a decline; `isUnsent` says that no customer was ever sent to the processor's
 * page. `askedForStep` says whether the bank asked the cardholder to confirm (3-D Secure). `unknown`:
 * the processor gave no answer; the payment stays as it is, neither paid nor declined.
 */
export type Verdict =
  | { result: 'paid'; amount: bigint; currency: string; card?: Card; askedForStep?: boolean }
  | ({ result: 'declined' } & Decline)
  | { result: 'cancelled'; decline?: Decline; isUnsent?: boolean }
  | { result: 'open'; processorId?: string; actionUrl?: string; decline?: Decline }
  | { result: 'unknown' };

/** A call to a processor that failed. Its message may be logged: it contains neither card data nor a key. */
export class ProcessorError extends Error {
  override name = 'ProcessorError';
}

export interface TestCard {
  number: string;
  brand: Card['brand'];
  /** Why the card is declined; when left out, the payment succeeds. */
  decline?: Decline;
  /** Whether the customer is asked for a 3-D Secure step first. */
  asksForStep?: boolean;
  /** What becomes of a refund to the card, and when; when left out, the refund completes at once. */
  lateRefund?: { afterSeconds: number; result: 'completed' | 'failed' };
}

/** What a card that is not declined does, in the words of the documentation. The checkout page says the same. */
export function successOf({ asksForStep, lateRefund }: Pick<TestCard, 'asksForStep' | 'lateRefund'>): string {
  if (asksForStep) return 'Asks for 3-D Secure';
  if (!lateRefund) return 'Succeeds';
  const { afterSeconds, result } = lateRefund;
  return `Succeeds; a refund ${result === 'failed' ? 'fails' : 'completes'} after ${afterSeconds} seconds`;
}

/** A refund, as a processor needs it. The same refund always gives the same order. */
export interface RefundOrder {
  /** It is the idempotency key at the processor: when a refund is sent again, the money still goes back once. */
  refundId: string;
  reference: string;
  paymentReference: string;
  amount: bigint;
  currency: string;
  /** The end of the number of the card that paid; null while it is not known. */
  cardLast4: string | null;
  /** The processor's id for the attempt that paid; null when the processor has none. */
  chargeId: string | null;
  /** The processor's id for the refund; null when its answer never reached us. */
  processorId: string | null;
}

/**
 * What became of a refund. `unknown`: no answer, the refund stays as it is. A refund that is `completed` may become
 * `failed` later, because a bank can send the money back.
 */
export type RefundVerdict =
  | { result: 'unknown' }
  | (({ result: 'processing' | 'completed' } | { result: 'failed'; code: string; message: string }) & {
      processorId?: string;
      /** When the next status check comes. When left out: never after a final verdict, and after a minute otherwise. */
      checkAfterSeconds?: number;
    });

interface RefundProcessor {
  /** Sends a refund. It is called until the processor answers, each time with the same order. */
  refund(order: RefundOrder): Promise<RefundVerdict>;
  /** Returns what became of a refund that the processor has accepted. */
  refundStatus(order: RefundOrder): Promise<RefundVerdict>;
}

interface Processor extends RefundProcessor {
  readonly name: string;
  /** Returns what became of an attempt that is open, or whose answer never reached us. */
  status(charge: Charge): Promise<Verdict>;
  /** Cancels the attempt, so that nothing can be charged any more. The verdict is `paid` when it was charged before. */
  cancel(charge: Charge): Promise<Verdict>;
}

/** A processor for cards that the customer types into our own page. */
export interface CardProcessor extends Processor {
  readonly takes: 'card';
  /** The only cards that it accepts. The page refuses any other card before the processor is called. */
  readonly testCards: readonly TestCard[];
  start(charge: Charge, card: CardDetails): Promise<Verdict>;
  /** Finishes the 3-D Secure step, which the customer passed or failed. */
  finishStep(charge: Charge, hasPassed: boolean): Promise<Verdict>;
}

/** A processor that asks for the card on its own page, so that no card data reaches this service. */
export interface RedirectProcessor extends Processor {
  readonly takes: 'redirect';
  accepts(amount: bigint, currency: string): boolean;
  start(charge: Charge): Promise<Verdict>;
  /**
   * Null for an event that does not concern us. Throws `InvalidSignatureError` when the signature is not the
   * processor's.
   */
  parseWebhook(body: Buffer, signature: string): Promise<ProcessorEvent | null>;
}

export type CheckoutProcessor = CardProcessor | RedirectProcessor;

/** The content of a processor's webhook. An event arrives at least once, and events arrive in any order. */
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

/** What the processor says about one refund, which may have been made at the processor itself. */
export interface RefundNews {
  /** The id of our refund; null when the processor names none. */
  refundId: string | null;
  /** The attempt whose payment was refunded. */
  attemptId: string;
  processorId: string;
  amount: bigint;
  currency: string;
  verdict: RefundVerdict;
}

/** The merchant won or lost the dispute, or it ended without a decision of the bank. */
export type DisputeOutcome = 'won' | 'lost' | 'undecided';

/** The customer has disputed the payment at the bank, or the dispute has changed. */
export interface DisputeEvent {
  about: 'dispute';
  id: string;
  attemptId: string;
  /** `changed` for news that neither open nor end the dispute. */
  news: 'opened' | 'changed' | DisputeOutcome;
}

/** A webhook whose signature is not the processor's. */
export class InvalidSignatureError extends Error {
  override name = 'InvalidSignatureError';
}

/** The processor of each mode. A mode without a processor takes no payments. */
export type Processors = Partial<Record<Mode, CheckoutProcessor>>;

/** A transfer, as a processor needs it. The account number is in memory for the length of one call only. */
export interface Payout {
  /** It is the idempotency key at the processor: when a transfer is created again, it is still paid once. */
  transferId: string;
  reference: string;
  amount: bigint;
  currency: string;
  recipient: { name: string; accountNumber: string; bankCode: string };
  narration: string | null;
}

/**
 * What became of a transfer. `unknown`: no answer, the transfer stays as it is. `reversed`: completed, then sent back.
 */
export type PayoutVerdict =
  | { result: 'unknown' }
  | (({ result: 'processing' | 'completed' } | { result: 'failed' | 'reversed'; code: string; message: string }) & {
      /** When the next status check comes. When left out: never after a final verdict, and after a minute otherwise. */
      checkAfterSeconds?: number;
    });

export interface PayoutProcessor {
  readonly name: string;
  /** Creates a transfer. It is called until the processor answers, each time with the same id. */
  create(payout: Payout): Promise<PayoutVerdict>;
  /** Returns what became of a transfer that the processor has accepted. */
  status(payout: Payout): Promise<PayoutVerdict>;
}

/** The processor of transfers of each mode. A mode without a processor makes no transfers. */
export type PayoutProcessors = Partial<Record<Mode, PayoutProcessor>>;
