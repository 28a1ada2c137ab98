import type { Currency, WalletKind } from '@tillhook/sdk/session';
import { moment, oneOf, page, type ReadValue, searchOf } from '../app/search.ts';
import { reference } from '../kit/filter-fields.ts';

const currency: ReadValue<Currency> = (raw) => (/^[A-Z]{3}$/.test(raw) ? raw : undefined);

/** What the address of the balances may hold: the wallet whose statement is shown, and the filters of the statement. */
export const statementFilters = searchOf({
  kind: oneOf(['collection', 'transfer'] satisfies WalletKind[]),
  currency,
  reference,
  from: moment,
  to: moment,
  page,
});
