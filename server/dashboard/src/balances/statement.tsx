import { useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { paged } from '../app/search.ts';
import { useRead } from '../app/use-read.ts';
import { CsvButton } from '../kit/csv-button.tsx';
import { Empty } from '../kit/empty.tsx';
import { momentFields, referenceField } from '../kit/filter-fields.ts';
import { RecordList } from '../kit/record-list.tsx';
import { Section } from '../kit/section.tsx';
import { entryColumns } from './entries-table.tsx';
import { type WalletName, walletTitle } from './wallet-cards.tsx';

/** All entries of a wallet, newest first, with the balance after each. */
export function Statement({ kind, currency }: WalletName): ReactNode {
  const { page = 1, kind: _, currency: __, ...filters } = useSearch({ from: '/$mode/balances' });
  const query = { ...filters, currency, ...paged({ page }) };
  const entries = useRead({
    key: ['wallets', 'entries', kind, query],
    read: (tillhook, options) => tillhook.wallets.listEntries(kind, query, options),
    isLive: true,
    keepsPrevious: true,
  });
  return (
    <Section
      title={`Statement of the ${walletTitle(kind)}, ${currency}`}
      actions={
        <CsvButton
          file={`${kind}-${currency}`}
          read={(tillhook) => tillhook.wallets.listEntries(kind, { ...filters, currency }).csv()}
        />
      }
    >
      <RecordList
        label={walletTitle(kind)}
        read={entries}
        listOf={({ entries: rows, total }) => ({ rows, total })}
        columns={entryColumns}
        keyOf={({ id }) => id}
        filters={{ fields, chosen: filters, noMatch: 'No movement matches' }}
        empty={<Empty title="Nothing has moved yet">{beginnings[kind]}</Empty>}
      />
    </Section>
  );
}

const fields = [referenceField('order-1042'), ...momentFields];

const beginnings = {
  collection: 'What customers pay is credited here. To be paid, create a checkout link on the page Payments.',
  transfer: 'Top it up from the Collection wallet with the button above; then you can send money from it.',
};
