import type { Transfer } from '@tillhook/sdk/session';
import { id, oneOf, page, searchOf } from '../app/search.ts';

export const operatorTabs = ['transfers', 'payments', 'merchants'] as const;

export const transferStatuses = [
  'pending',
  'processing',
  'completed',
  'failed',
  'reversed',
] as const satisfies Transfer['status'][];

/** What the address of the operator's page may hold; `transfer` is the one that is open. */
export const operatorSearch = searchOf({
  tab: oneOf(operatorTabs),
  status: oneOf(transferStatuses),
  transfer: id,
  page,
});
