import { id, oneOf, page, searchOf } from '../app/search.ts';
import { transferStatuses } from '../transfers/transfer-filters.ts';

export const operatorTabs = ['transfers', 'payments', 'merchants'] as const;

/** `transfer` is the id of the transfer whose dialog is open. */
export const operatorSearch = searchOf({
  tab: oneOf(operatorTabs),
  status: oneOf(transferStatuses),
  transfer: id,
  page,
});
