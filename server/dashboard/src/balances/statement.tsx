import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { paged } from '../app/search.ts';
import { useRead } from '../app/use-read.ts';
import { Empty } from '../kit/empty.tsx';
import { momentFields, referenceField } from '../kit/filter-fields.ts';
import { Filters } from '../kit/filters.tsx';
import { Loaded } from '../kit/loaded.tsx';
import { Pager } from '../kit/pager.tsx';
import { Section } from '../kit/section.tsx';
import { EntriesTable } from './entries-table.tsx';
import { type WalletName, walletTitle } from './wallet-cards.tsx';

/** Each movement of a wallet with the balance after it, newest first. */
export function Statement({ kind, currency }: WalletName): ReactNode {
  const { page = 1, kind: _, currency: __, ...filters } = useSearch({ from: '/$mode/balances' });
  const navigate = useNavigate({ from: '/$mode/balances' });
  const query = { ...filters, currency, ...paged({ page }) };
  const entries = useRead({
    key: ['wallets', 'entries', kind, query],
    read: (tillhook, options) => tillhook.wallets.listEntries(kind, query, options),
    isLive: true,
    keepsPrevious: true,
  });
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Section title={`Statement of the ${walletTitle(kind)}, ${currency}`}>
      <Filters
        fields={[referenceField('order-1042'), ...momentFields]}
        chosen={filters}
        onChange={(changed) => void navigate({ search: (before) => ({ ...before, ...changed }), replace: true })}
      />
      <Loaded read={entries}>
        {({ entries: rows, total }) =>
          rows.length === 0 ? (
            <Empty title={isFiltered ? 'No movement matches' : 'Nothing has moved yet'}>
              {isFiltered ? 'Change or clear the filters above.' : beginnings[kind]}
            </Empty>
          ) : (
            <>
              <EntriesTable label={walletTitle(kind)} entries={rows} />
              <Pager
                page={page}
                total={total}
                onPage={(to) => void navigate({ search: (before) => ({ ...before, page: to }) })}
              />
            </>
          )
        }
      </Loaded>
    </Section>
  );
}

const beginnings = {
  collection: 'What customers pay comes here. Create a checkout link on the page Payments to be paid.',
  transfer: 'Top it up from the Collection wallet with the button above; then you can send money from it.',
};
