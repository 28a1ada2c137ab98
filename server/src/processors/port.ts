/**
 * What payments and transfers need from whoever moves the money. A processor is asked outside every transaction and answers
 * with a verdict; settling it is the business of whoever asked. Asking after an earlier charge, cancelling it and reading the
 * processor's webhooks join this port with the first processor that can do them.
 */
import type { Mode } from '../kit/mode.ts';
import type { Card, Decline } from '../payments/payment.entity.ts';

/** A card as the customer typed it. It lives for the length of one request, and is never logged or stored. */
export interface CardDetails {
  number: string;
  expiryMonth: number;
  expiryYear: number;
  cvc: string;
  name: string;
}

export interface Charge {
  /** The processor's idempotency key: the same attempt is never charged twice. */
  attemptId: string;
  reference: string;
  amount: bigint;
  currency: string;
}

/** `unknown` leaves the payment processing: without an answer nothing may be called paid or declined. */
export type Verdict =
  | { result: 'paid'; amount: bigint; currency: string }
  | ({ result: 'declined' } & Decline)
  | { result: 'unknown' };

export interface TestCard {
  number: string;
  brand: Card['brand'];
  /** Why it is declined; without it the payment succeeds. */
  decline?: Decline;
  /** Why it is refused for now, in words for the customer; it is not offered then. */
  unavailable?: string;
}

export interface CheckoutProcessor {
  readonly name: string;
  /** The only cards it may be given: the page refuses any other before it comes this far. */
  readonly testCards: readonly TestCard[];
  start(charge: Charge, card: CardDetails): Promise<Verdict>;
  /** What became of an attempt whose answer never reached us. */
  status(attemptId: string): Promise<Verdict>;
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
