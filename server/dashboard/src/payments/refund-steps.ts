import type { Refund } from '@tillhook/sdk/session';
import { formatAmount } from '../kit/amount.ts';
import { whyItFailed } from './refunds-table.tsx';

/**
 * What happened to a refund, for the time line of its payment. A refund that had completed can still fail, when the bank
 * of the customer sends the money back.
 */
export function refundSteps(refund: Refund) {
  const { id, amount, currency, status, reason, origin, createdAt, completedAt, updatedAt } = refund;
  const what = `Refund of ${formatAmount(amount, currency)}`;
  const from = origin === 'processor' ? ' at the payment processor' : '';
  return [
    { key: `${id} created`, at: createdAt, title: `${what} created${from}`, text: reason },
    ...(completedAt ? [{ key: `${id} completed`, at: completedAt, title: `${what} completed` }] : []),
    // A refund does not store the time of its failure, which is its last change.
    ...(status === 'failed'
      ? [{ key: `${id} failed`, at: updatedAt, title: `${what} failed`, text: whyItFailed(refund) }]
      : []),
  ];
}
