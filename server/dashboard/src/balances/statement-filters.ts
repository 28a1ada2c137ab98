import type { WalletKind } from '@tillhook/sdk/session';
import { moment, oneOf, page, searchOf } from '../app/search.ts';
import { currency, reference } from '../kit/filter-fields.ts';

export const statementFilters = searchOf({
  kind: oneOf(['collection', 'transfer'] satisfies WalletKind[]),
  currency,
  reference,
  from: moment,
  to: moment,
  page,
});
