import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useSearch } from '@tanstack/react-router';
import type { Wallet } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { paged } from '../app/search.ts';
import { useSession } from '../app/session.ts';
import { useRead } from '../app/use-read.ts';
import { useMode } from '../app/use-tillhook.ts';
import { Empty } from '../kit/empty.tsx';
import { periodField, referenceField } from '../kit/filter-fields.ts';
import { ArrowRightLeft, Coins } from '../kit/icons.tsx';
import { Loaded } from '../kit/loaded.tsx';
import { ReadOnlyNote, useMayCall } from '../kit/may-call.tsx';
import { Page } from '../kit/page.tsx';
import { withTimes } from '../kit/period.ts';
import { RecordList } from '../kit/record-list.tsx';
import { Section } from '../kit/section.tsx';
import { entryColumns } from './entries-table.tsx';
import { FundDialog } from './funding.tsx';
import { TopUpDialog } from './top-up-dialog.tsx';
import { WalletCards, WalletCardsSkeleton, type WalletName, walletTitle } from './wallet-cards.tsx';

export function BalancesPage(): ReactNode {
  const { kind = 'collection', currency } = useSearch({ from: '/$mode/balances' });
  const { merchant } = useSession();
  const wallets = useRead({
    key: ['wallets'],
    read: (tillhook, options) => tillhook.wallets.list({}, options),
    isLive: true,
  });
  const chosen = { kind, currency: currency ?? merchant.currency };
  return (
    <Page
      title="Balances"
      about={<ReadOnlyNote what="move money" operations={['topUpTransferWallet']} />}
      actions={wallets.data && <Actions wallets={wallets.data.wallets} />}
      isWide
    >
      <Loaded read={wallets} skeleton={<WalletCardsSkeleton />}>
        {({ wallets: all }) => <WalletCards wallets={ownFirst(all, merchant.currency)} chosen={chosen} />}
      </Loaded>
      <Statement {...chosen} />
    </Page>
  );
}

function ownFirst(wallets: readonly Wallet[], own: string): Wallet[] {
  return [...wallets.filter(({ currency }) => currency === own), ...wallets.filter(({ currency }) => currency !== own)];
}

function Actions({ wallets }: { wallets: readonly Wallet[] }): ReactNode {
  const mode = useMode();
  const [isToppingUp, topUp] = useDisclosure();
  const [isFunding, fund] = useDisclosure();
  const mayTopUp = useMayCall('topUpTransferWallet');
  const mayFund = useMayCall('testFundWallet') && mode === 'test';
  return (
    <>
      {mayFund && (
        <Button variant="default" leftSection={<Coins size={16} aria-hidden />} onClick={fund.open}>
          Add test money
        </Button>
      )}
      {mayTopUp && (
        <Button leftSection={<ArrowRightLeft size={16} aria-hidden />} onClick={topUp.open}>
          Top up Transfer wallet
        </Button>
      )}
      <TopUpDialog wallets={wallets} isOpen={isToppingUp} onClose={topUp.close} />
      {mayFund && <FundDialog isOpen={isFunding} onClose={fund.close} />}
    </>
  );
}

export function Statement({ kind, currency }: WalletName): ReactNode {
  const {
    page = 1,
    order,
    columns: _columns,
    kind: _,
    currency: __,
    ...filters
  } = useSearch({ from: '/$mode/balances' });
  const matching = { ...withTimes(filters), currency };
  const query = { ...matching, ...(order && { order }), ...paged({ page }) };
  const entries = useRead({
    key: ['wallets', 'entries', kind, query],
    read: (tillhook, options) => tillhook.wallets.listEntries(kind, query, options),
    isLive: true,
    keepsPrevious: true,
  });
  return (
    <Section title={`${walletTitle(kind)} statement, ${currency}`}>
      <RecordList
        name="statement"
        label={walletTitle(kind)}
        read={entries}
        listOf={({ entries: rows, total }) => ({ rows, total })}
        columns={entryColumns}
        keyOf={({ id }) => id}
        filters={{ fields, chosen: filters, noMatch: 'No entries match' }}
        csv={{
          file: `${kind}-${currency}`,
          read: (tillhook) => tillhook.wallets.listEntries(kind, matching).csv(),
        }}
        empty={<Empty title="No entries yet">{beginnings[kind]}</Empty>}
      />
    </Section>
  );
}

const fields = [periodField('Date'), referenceField('order-1042')];

const beginnings = {
  collection: 'Payments from customers are credited here. To get paid, create a checkout link on the Payments page.',
  transfer: 'Top it up from the Collection wallet with the button above, then send money from it.',
};
