/**
 * What a payment needs from whoever moves the money. A processor is asked outside every transaction and answers with a
 * verdict; settling it is the payments' own business. Asking after an earlier charge, cancelling it and reading the
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
