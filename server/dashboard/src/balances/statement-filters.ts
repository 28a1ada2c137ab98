import type { WalletKind } from '@tillhook/sdk/session';
import { oneOf, page, searchOf } from '../app/search.ts';
import { columns, created, currency, order, reference } from '../kit/filter-values.ts';

export const statementFilters = searchOf({
  kind: oneOf(['collection', 'transfer'] satisfies WalletKind[]),
  currency,
  reference,
  ...created,
  order,
  columns,
  page,
});
