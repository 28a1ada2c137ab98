import { type Html, html } from '../kit/html.ts';
import { formatAmount } from '../kit/money.ts';
import type { Payment } from '../payments/payment.entity.ts';
import type { PaymentAttempt } from '../payments/payment-attempt.entity.ts';
import type { TestCard } from '../processors/port.ts';

/**
 * Where the customer comes from on these pages: nowhere, "try again", a form just sent, a form that leads on to the
 * processor's page, or "return to the merchant".
 */
export type Step = 'arrived' | 'again' | 'sent' | 'onward' | 'left';

const steps: readonly Step[] = ['again', 'sent', 'onward', 'left'];

/** All that a page of one payment is made from. */
export interface Visit {
  payment: Payment;
  /** The one that decides the payment; null where none is open. */
  attempt: PaymentAttempt | null;
  merchantName: string;
  logoUrl: string | null;
  /** Of the buttons, `#rrggbb`; null for our own. */
  colour: string | null;
  /** Null where the card is given on the processor's page. */
  testCards: readonly TestCard[] | null;
  locale: string;
  step: Step;
  /** Goes into every form, and comes back with it. */
  nonce: string;
  /** The path of all hosted pages, such as `/checkout`. */
  base: string;
  now: Date;
}

/** Under this address the customer sees the payment as it is by then. */
export function pathOf({ base, payment }: Pick<Visit, 'base' | 'payment'>, step: Step = 'arrived'): string {
  const path = `${base}/${payment.accessCode}`;
  return step === 'arrived' ? path : `${path}?step=${step}`;
}

export function stepOf(value: unknown): Step {
  return steps.find((step) => step === value) ?? 'arrived';
}

/** For the text of a page: whichever way the amount or the name is written, the words around it keep their order. */
export function amountIn(visit: Visit): Html {
  return html`<bdi lang="${visit.locale}">${amountOf(visit)}</bdi>`;
}

/** True in every state but one: of a payment that waits for a person, or that one decided against, money came in. */
export function chargeWords({ payment }: Visit): string {
  const mayBeCharged = payment.reviewReason || payment.failureCode === 'amount_mismatch';
  return mayBeCharged ? 'If you were charged, the money is being looked into' : 'Nothing was charged';
}

/** For a title, which takes no markup. */
export function amountOf({ payment, locale }: Visit): string {
  return formatAmount(Number(payment.amount), payment.currency, locale);
}
