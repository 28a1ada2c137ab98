import type { TransferStatus } from '@tillhook/sdk/session';
import { oneOf, page, searchOf, text } from '../app/search.ts';
import { columns, created, order, reference } from '../kit/filter-values.ts';

/** The tabs of lists of transfers. */
export const transferStates = {
  pending: { title: 'Pending' },
  processing: { title: 'Processing' },
  completed: { title: 'Completed' },
  failed: { title: 'Failed' },
  reversed: { title: 'Reversed' },
} as const satisfies Record<TransferStatus, { title: string }>;

export const transferStatuses = Object.keys(transferStates) as TransferStatus[];

export const transferFilters = searchOf({
  search: text(),
  status: oneOf(transferStatuses),
  reference,
  ...created,
  order,
  columns,
  page,
});
