import type { RefundStatus } from '@tillhook/sdk/session';
import { oneOf, page, searchOf, text } from '../app/search.ts';
import { columns, created, email, order, reference } from '../kit/filter-values.ts';

/** The tabs of the list of refunds. */
export const refundStates = {
  pending: { title: 'Pending' },
  processing: { title: 'Processing' },
  completed: { title: 'Completed' },
  failed: { title: 'Failed' },
} as const satisfies Record<RefundStatus, { title: string }>;

export const refundFilters = searchOf({
  search: text(),
  status: oneOf(Object.keys(refundStates) as RefundStatus[]),
  customerEmail: email,
  paymentReference: reference,
  ...created,
  order,
  columns,
  page,
});
