import type { Review } from '@tillhook/openapi';
import type { PaymentAttempt } from './payment-attempt.entity.ts';

/** What the processor has of one attempt. */
export function paidView({ paidAmount, paidCurrency, processorId }: PaymentAttempt): Review['paid'][number] {
  return {
    amount: paidAmount == null ? null : Number(paidAmount),
    currency: paidCurrency ?? null,
    processorId: processorId ?? null,
  };
}
