import { id, oneOf, page, searchOf } from '../app/search.ts';
import { transferStatuses } from '../transfers/transfer-filters.ts';

export const operatorTabs = ['transfers', 'payments', 'merchants'] as const;

/** What the address of the operator's page may hold; `transfer` is the one that is open. */
export const operatorSearch = searchOf({
  tab: oneOf(operatorTabs),
  status: oneOf(transferStatuses),
  transfer: id,
  page,
});
