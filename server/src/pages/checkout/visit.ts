import { type Html, html } from '../../kit/html.ts';
import { formatAmount } from '../../kit/money.ts';
import type { PaymentMethodType } from '../../kit/payment-method.ts';
import type { Payment } from '../../money/payments/payment.entity.ts';
import type { PaymentAttempt } from '../../money/payments/payment-attempt.entity.ts';
import type { Brand } from '../../people/merchants/merchants.service.ts';
import type { TestCard, TestPhone } from '../../processors/port.ts';
import type { Words } from './words/words.ts';

/**
 * What the customer did before this page was shown: opened the link (`arrived`), sent the card form or came back from the processor's page after paying (`sent`), sent the form that leads on to the
 * processor's page (`onward`), or returned to the merchant (`left`).
 */
export type Step = 'arrived' | 'sent' | 'onward' | 'left';

const steps: readonly Step[] = ['sent', 'onward', 'left'];

export interface Phones {
  operators: readonly string[];
  countryCode: string;
  /** The only phones that our form accepts; null for all. */
  testNumbers: readonly TestPhone[] | null;
}

export interface Visit {
  payment: Payment;
  attempt: PaymentAttempt | null;
  /** True for a payment that has failed or expired, and for which money came all the same. */
  hasPaidAttempt: boolean;
  merchantName: string;
  logo: string | null;
  /** `#rrggbb`; null for the default colour of buttons. */
  colour: string | null;
  links: Pick<Brand, 'termsUrl' | 'supportUrl' | 'supportEmail'>;
  /** The cards that our form accepts; null when the customer enters the card on the processor's page. */
  testCards: readonly TestCard[] | null;
  /** The ways to pay that the customer may choose, in this order. */
  methods: readonly PaymentMethodType[];
  /** Null when the customer cannot pay with mobile money. */
  phones: Phones | null;
  words: Words;
  /** The locale of amounts and dates. */
  locale: string;
  step: Step;
  /** The value of a hidden field in every form; see `form-nonce.ts`. */
  nonce: string;
  /** The path prefix of all hosted pages, such as `/checkout`. */
  base: string;
  now: Date;
}

export function pathOf({ base, payment }: Pick<Visit, 'base' | 'payment'>, step: Step = 'arrived'): string {
  const path = `${base}/${payment.accessCode}`;
  return step === 'arrived' ? path : `${path}?step=${step}`;
}

export function stepOf(value: unknown): Step {
  return steps.find((step) => step === value) ?? 'arrived';
}

export function amountHtml(visit: Visit): Html {
  return moneyHtml(amountText(visit), visit.locale);
}

/**
 * `<bdi>` keeps the direction of the amount from reordering the words around it. An amount with Latin letters is always
 * written from left to right, because `US$` would become `$US` in a right-to-left page.
 */
export function moneyHtml(amount: string, locale: string): Html {
  return html`<bdi lang="${locale}"${/[A-Z]/i.test(amount) && html` dir="ltr"`}>${amount}</bdi>`;
}

/** `<bdi>` keeps the direction of the merchant's name from reordering the words around it. */
export function merchantHtml({ merchantName }: Pick<Visit, 'merchantName'>): Html {
  return html`<bdi>${merchantName}</bdi>`;
}

export function strong(content: Html): Html {
  return html`<strong>${content}</strong>`;
}

/**
 * "Nothing was charged" would be false for a payment that is under review or was refused by an operator, because the
 * processor received money.
 */
export function chargeText({ payment, hasPaidAttempt, words }: Visit): string {
  const mayBeCharged = payment.reviewReason || hasPaidAttempt;
  return words.text(mayBeCharged ? 'charge.inReview' : 'charge.none');
}

export function amountText({ payment, locale }: Visit): string {
  return formatAmount(Number(payment.amount), payment.currency, locale);
}
