import { formatAmount } from '../kit/money.ts';
import type { Payment } from '../payments/payment.entity.ts';
import type { TestCard } from '../processors/port.ts';

/** Where the customer comes from on these pages: nowhere, "try again", a form just sent, or "return to the merchant". */
export type Step = 'arrived' | 'again' | 'sent' | 'left';

const steps: readonly Step[] = ['again', 'sent', 'left'];

/** All that a page of one payment is made from. */
export interface Visit {
  payment: Payment;
  merchantName: string;
  testCards: readonly TestCard[];
  locale: string;
  step: Step;
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

export function amountOf({ payment, locale }: Visit): string {
  return formatAmount(Number(payment.amount), payment.currency, locale);
}
