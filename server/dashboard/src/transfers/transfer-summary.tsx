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
  return (
    <Paper p="sm" role="status">
      <Text size="sm">
        Your Transfer wallet has <b>{formatAmount(available, currency)}</b>
        {settings && `, and a transfer costs ${fee > 0 ? formatAmount(fee, currency) : 'nothing'}`}.
      </Text>
      {amount > 0 && settings && (
        <Text size="sm" mt={4}>
          You send <b>{formatAmount(amount, currency)}</b> to{' '}
          <bdi>{typed.recipient.name.trim() || 'the recipient'}</bdi>
          {accountWords(typed)}. {formatAmount(amount + fee, currency)} {fee > 0 && 'with the fee '}
          {isTooMuch
            ? 'would leave the wallet.'
            : `will leave the wallet, and ${formatAmount(available - amount - fee, currency)} will stay.`}
        </Text>
      )}
      {amount > 0 && isTooMuch && !isRefused && (
        <Text size="sm" mt={4} c="var(--bad)" fw={600}>
          That is {formatAmount(amount + fee - available, currency)} more than it has. <TopUpLink />
        </Text>
      )}
    </Paper>
  );
}

function accountWords({ recipient }: TypedTransfer): string {
  const end = plain(recipient.accountNumber).slice(-4);
  return end.length === 4 ? `, to the account that ends in ${end}` : '';
}

/** Opens a new tab, because the form in this tab would lose its content. */
export function TopUpLink(): ReactNode {
  return (
    <>
      Top it up on the page{' '}
      <AnchorLink to="/$mode/balances" params={{ mode: useMode() }} target="_blank" inherit>
        Balances (new tab)
      </AnchorLink>
      .
    </>
  );
}
