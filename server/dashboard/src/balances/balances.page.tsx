import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useSearch } from '@tanstack/react-router';
import type { Wallet } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { useSession } from '../app/session.ts';
import { useRead } from '../app/use-read.ts';
import { useMode } from '../app/use-tillhook.ts';
import { ArrowRightLeft, Coins } from '../kit/icons.tsx';
import { Loaded } from '../kit/loaded.tsx';
import { ReadOnlyNote, useMayChange } from '../kit/may-change.tsx';
import { Page } from '../kit/page.tsx';
import { FundDialog } from './fund-dialog.tsx';
import { Statement } from './statement.tsx';
import { TopUpDialog } from './top-up-dialog.tsx';
import { WalletCards, WalletCardsSkeleton } from './wallet-cards.tsx';

/** Shows the wallets of each currency, and the statement of the chosen wallet. */
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
      about={<ReadOnlyNote what="move money" />}
      actions={wallets.data && <Actions wallets={wallets.data.wallets} />}
    >
      <Loaded read={wallets} skeleton={<WalletCardsSkeleton />}>
        {({ wallets: all }) => <WalletCards wallets={all} chosen={chosen} />}
      </Loaded>
      <Statement {...chosen} />
    </Page>
  );
}

function Actions({ wallets }: { wallets: readonly Wallet[] }): ReactNode {
  const mode = useMode();
  const [isToppingUp, topUp] = useDisclosure();
  const [isFunding, fund] = useDisclosure();
  if (!useMayChange()) return null;
  return (
    <>
      {mode === 'test' && (
        <Button variant="default" leftSection={<Coins size={16} aria-hidden />} onClick={fund.open}>
          Add test money
        </Button>
      )}
      <Button leftSection={<ArrowRightLeft size={16} aria-hidden />} onClick={topUp.open}>
        Top up the Transfer wallet
      </Button>
      <TopUpDialog wallets={wallets} isOpen={isToppingUp} onClose={topUp.close} />
      {mode === 'test' && <FundDialog isOpen={isFunding} onClose={fund.close} />}
    </>
  );
}
