import type { PaymentStatus } from '@tillhook/sdk/session';
import { moment, oneOf, page, searchOf, wholeNumber } from '../app/search.ts';
import { mostAmount } from '../kit/amount.ts';
import { email, reference } from '../kit/filter-fields.ts';

export const paymentStatuses = [
  'pending',
  'processing',
  'completed',
  'failed',
  'expired',
] as const satisfies PaymentStatus[];

/** What the address of the list of payments may hold. Amounts are in the minor unit. */
export const paymentFilters = searchOf({
  status: oneOf(paymentStatuses),
  customerEmail: email,
  reference,
  minAmount: wholeNumber(1, mostAmount),
  maxAmount: wholeNumber(1, mostAmount),
  from: moment,
  to: moment,
  page,
});
