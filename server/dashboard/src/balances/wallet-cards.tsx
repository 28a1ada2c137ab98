import { SimpleGrid, Skeleton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Wallet } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { useMode } from '../app/use-tillhook.ts';
import { formatAmount } from '../kit/amount.ts';
import { Money } from '../kit/money.tsx';
import classes from './wallet-cards.module.css';

export type WalletName = Pick<Wallet, 'kind' | 'currency'>;

interface WalletCardsProps {
  wallets: readonly Wallet[];
  chosen: WalletName;
}

export function WalletCards({ wallets, chosen }: WalletCardsProps): ReactNode {
  const mode = useMode();
  return (
    <SimpleGrid component="nav" aria-label="Wallets" cols={{ base: 1, xs: 2 }} spacing="sm">
      {wallets.map((wallet) => (
        <Link
          key={`${wallet.currency} ${wallet.kind}`}
          to="/$mode/balances"
          params={{ mode }}
          search={{ kind: wallet.kind, currency: wallet.currency }}
          className={classes.card}
          aria-current={isSame(wallet, chosen) ? 'true' : undefined}
        >
          <WalletDetails wallet={wallet} />
        </Link>
      ))}
    </SimpleGrid>
  );
}

/** The skeleton is as high as cards with one currency, so that the statement below does not move after loading. */
export function WalletCardsSkeleton(): ReactNode {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" aria-hidden>
      {(['collection', 'transfer'] as const).map((kind) => (
        <Skeleton key={kind}>
          <div className={classes.card}>
            <WalletDetails wallet={{ kind, currency: 'NGN', available: 0, reserved: 0 }} />
          </div>
        </Skeleton>
      ))}
    </SimpleGrid>
  );
}

function WalletDetails({ wallet: { kind, currency, available, reserved } }: { wallet: Wallet }): ReactNode {
  return (
    <>
      <span className={classes.kind}>
        {walletTitle(kind)} · {currency}
      </span>
      <span className={classes.amount}>
        <Money amount={available} currency={currency} />
      </span>
      <span className={classes.kind}>{aboutWallet({ kind, currency, reserved })}</span>
    </>
  );
}

function aboutWallet({ kind, currency, reserved }: Omit<Wallet, 'available'>): string {
  if (kind === 'collection') return 'Paid by customers';
  if (reserved === 0) return 'Used for transfers';
  return `${formatAmount(reserved, currency)} reserved for pending transfers`;
}

export function walletTitle(kind: Wallet['kind']): string {
  return kind === 'collection' ? 'Collection wallet' : 'Transfer wallet';
}

function isSame(one: WalletName, other: WalletName): boolean {
  return one.kind === other.kind && one.currency === other.currency;
}
