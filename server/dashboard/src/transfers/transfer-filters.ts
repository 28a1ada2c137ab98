import type { TransferStatus } from '@tillhook/sdk/session';
import { moment, oneOf, page, searchOf } from '../app/search.ts';
import { reference } from '../kit/filter-fields.ts';

export const transferStatuses = [
  'pending',
  'processing',
  'completed',
  'failed',
  'reversed',
] as const satisfies TransferStatus[];

export const transferFilters = searchOf({
  status: oneOf(transferStatuses),
  reference,
  from: moment,
  to: moment,
  page,
});
