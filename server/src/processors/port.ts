/**
 * What payments and transfers need from whoever moves the money. A processor is asked outside every transaction and answers
 * with a verdict; settling it is the business of whoever asked.
 */

import type { Card, Decline } from '../kit/card.ts';
import type { Mode } from '../kit/mode.ts';

/** A card as the customer typed it. It lives for the length of one request, and is never logged or stored. */
export interface CardDetails {
  number: string;
  expiryMonth: number;
  expiryYear: number;
  cvc: string;
  name: string;
}

/** An attempt to pay, as whoever carries it out needs it: the same however often it is made from the same attempt. */
export interface Charge {
  /** The processor's idempotency key: the same attempt is never charged twice. */
  attemptId: string;
  reference: string;
  amount: bigint;
  currency: string;
  customerEmail: string;
  description: string | null;
  locale: string | null;
  startedAt: Date;
  expiresAt: Date;
  /** Where the customer comes back to: having paid, and not. */
  paidUrl: string;
  backUrl: string;
  /** What the processor calls it; null when its answer never reached us. */
  processorId: string | null;
}

/**
 * What became of a charge. `open`: the customer has something left to do, at `actionUrl` or, without one, in the hosted
 * page; a decline there does not end it. `cancelled`: nothing was charged, and nothing will be; perhaps after a decline.
 * `isUnsent`: because no customer was ever sent there. `askedForStep`: whether the bank asked the cardholder to confirm it.
 * `unknown` leaves the payment as it is: without an answer nothing may be called paid or declined.
 */
export type Verdict =
  | { result: 'paid'; amount: bigint; currency: string; card?: Card; askedForStep?: boolean }
  | ({ result: 'declined' } & Decline)
  | { result: 'cancelled'; decline?: Decline; isUnsent?: boolean }
  | { result: 'open'; processorId?: string; actionUrl?: string; decline?: Decline }
  | { result: 'unknown' };

/** Asks that a processor refuses to answer, in words that may be logged: neither a card nor a key is in them. */
export class ProcessorError extends Error {
  override name = 'ProcessorError';
}

export interface TestCard {
  number: string;
  brand: Card['brand'];
  /** Why it is declined; without it the payment succeeds. */
  decline?: Decline;
  /** Asks the customer for a 3-D Secure step first. */
  asksForStep?: boolean;
}

interface Asked {
  readonly name: string;
  /** What became of an attempt: of one whose answer never reached us, or that is open. */
  status(charge: Charge): Promise<Verdict>;
  /** Sees to it that nothing more is charged, or says that it has been. */
  cancel(charge: Charge): Promise<Verdict>;
}

/** Takes cards that the customer types into our own page. */
export interface CardProcessor extends Asked {
  readonly takes: 'card';
  /** The only cards it may be given: the page refuses any other before it comes this far. */
  readonly testCards: readonly TestCard[];
  start(charge: Charge, card: CardDetails): Promise<Verdict>;
  /** The customer passed the 3-D Secure step, or did not. */
  finishStep(charge: Charge, hasPassed: boolean): Promise<Verdict>;
}

/** Sends the customer to a page of its own, so that no card is given here. */
export interface RedirectProcessor extends Asked {
  readonly takes: 'redirect';
  accepts(amount: bigint, currency: string): boolean;
  start(charge: Charge): Promise<Verdict>;
  /** Null for what is none of our business. Throws a `ForgedEvent` when the processor did not sign it. */
  parseWebhook(body: Buffer, signature: string): Promise<ProcessorEvent | null>;
}

export type CheckoutProcessor = CardProcessor | RedirectProcessor;

/** What a processor tells by itself, at least once and in any order. */
export interface ProcessorEvent {
  id: string;
  attemptId: string;
  verdict: Verdict;
}

/** Whoever sent it is not the processor. */
export class ForgedEvent extends Error {
  override name = 'ForgedEvent';
}

/** A mode without one takes no payments. */
export type Processors = Partial<Record<Mode, CheckoutProcessor>>;

/** A transfer as whoever carries it out needs it. The account number lives for the length of one question. */
export interface Payout {
  /** The processor's idempotency key: however often the same transfer is created, it is paid once. */
  transferId: string;
  reference: string;
  amount: bigint;
  currency: string;
  recipient: { name: string; accountNumber: string; bankCode: string };
  narration: string | null;
}

/** `unknown` leaves the transfer as it is; `reversed` is one that was completed and came back. */
export type PayoutVerdict =
  | { result: 'unknown' }
  | (({ result: 'processing' | 'completed' } | { result: 'failed' | 'reversed'; code: string; message: string }) & {
      /** When to ask again. Without it a final verdict is not asked after, and any other within a minute or so. */
      checkAfterSeconds?: number;
    });

export interface PayoutProcessor {
  readonly name: string;
  /** Asked until it answers: a transfer whose answer was lost is created again under its id. */
  create(payout: Payout): Promise<PayoutVerdict>;
  /** What became of a transfer that it has. */
  status(payout: Payout): Promise<PayoutVerdict>;
}

/** A mode without one makes no transfers. */
export type PayoutProcessors = Partial<Record<Mode, PayoutProcessor>>;
