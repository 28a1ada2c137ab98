import { Paper, Text } from '@mantine/core';
import type { Wallet } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { useRead } from '../app/use-read.ts';
import { useMode } from '../app/use-tillhook.ts';
import { formatAmount, readAmount } from '../kit/amount.ts';
import { AnchorLink } from '../kit/links.tsx';
import { plain, type TypedTransfer } from './use-transfer-form.ts';

interface TransferSummaryProps {
  typed: TypedTransfer;
  wallets: readonly Wallet[];
  /** Whether the balance is too low for the transfer. The amount field shows that error. */
  isRefused: boolean;
}

/** Only transfers in the merchant's currency have a fee. */
export function TransferSummary({ typed, wallets, isRefused }: TransferSummaryProps): ReactNode {
  const { data: settings } = useRead({
    key: ['settings'],
    read: (tillhook, options) => tillhook.settings.get(options),
  });
  const { currency } = typed;
  const available = wallets.find((wallet) => wallet.currency === currency)?.available ?? 0;
  const amount = readAmount(typed.amount, currency) ?? 0;
  const fee = settings?.currency === currency ? settings.transferFee : 0;
  const isTooMuch = amount + fee > available;
  const sum = formatAmount(amount + fee, currency);
  const total = fee > 0 ? `${sum} with the fee` : sum;
  return (
    <Paper p="sm" role="status">
      <Text size="sm">
        {!settings && (
          <>
            Your Transfer wallet has <b>{formatAmount(available, currency)}</b>.
          </>
        )}
        {settings &&
          (fee > 0 ? (
            <>
              Your Transfer wallet has <b>{formatAmount(available, currency)}</b>, and a transfer costs{' '}
              {formatAmount(fee, currency)}.
            </>
          ) : (
            <>
              Your Transfer wallet has <b>{formatAmount(available, currency)}</b>, and a transfer costs nothing.
            </>
          ))}
      </Text>
      {amount > 0 && settings && (
        <Text size="sm" mt={4}>
          <Sent typed={typed} amount={amount} />{' '}
          {isTooMuch
            ? `${total} would leave the wallet.`
            : `${total} will leave the wallet, and ${formatAmount(available - amount - fee, currency)} will stay.`}
        </Text>
      )}
      {amount > 0 && isTooMuch && !isRefused && (
        <Text size="sm" mt={4} c="var(--bad)" fw={600}>
          This is {formatAmount(amount + fee - available, currency)} more than its balance. <TopUpLink />
        </Text>
      )}
    </Paper>
  );
}

function Sent({ typed: { recipient, currency }, amount }: { typed: TypedTransfer; amount: number }): ReactNode {
  const money = <b>{formatAmount(amount, currency)}</b>;
  const name = <bdi>{recipient.name.trim() || '…'}</bdi>;
  const end = plain(recipient.accountNumber).slice(-4);
  if (end.length < 4) {
    return (
      <>
        You send {money} to {name}.
      </>
    );
  }
  return (
    <>
      You send {money} to {name}, to the account that ends in {end}.
    </>
  );
}

/** Opens a new tab, because the form in this tab would lose its content. */
export function TopUpLink(): ReactNode {
  return (
    <>
      Top it up on the{' '}
      <AnchorLink to="/$mode/balances" params={{ mode: useMode() }} target="_blank" inherit>
        Balances page (new tab)
      </AnchorLink>
      .
    </>
  );
}
