import type { WalletKind } from '@tillhook/sdk/session';
import { moment, oneOf, page, searchOf } from '../app/search.ts';
import { currency, reference } from '../kit/filter-fields.ts';

/**
 * The search parameters of the page of balances: the wallet whose statement is shown, and the filters of the
 * statement.
 */
export const statementFilters = searchOf({
  kind: oneOf(['collection', 'transfer'] satisfies WalletKind[]),
  currency,
  reference,
  from: moment,
  to: moment,
  page,
});
