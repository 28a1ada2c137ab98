import { Button, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Wallet } from '@tillhook/sdk/session';
import { type ReactNode, useState } from 'react';
import { useSession } from '../app/session.ts';
import { readAmount } from '../kit/amount.ts';
import { Failure } from '../kit/failure.tsx';
import { AnchorLink } from '../kit/links.tsx';
import { Money } from '../kit/money.tsx';
import { useAsk } from '../kit/use-ask.ts';

/** Puts test money into the wallet that transfers are paid from. */
export function FundWallet(): ReactNode {
  const { merchant } = useSession();
  const [wallet, setWallet] = useState<Wallet | null>(null);
  const form = useForm({
    initialValues: { amount: '', currency: merchant.currency },
    validate: {
      amount: (typed, { currency }) =>
        readAmount(typed, currency.toUpperCase()) ? null : 'Type an amount, such as 5,000.00.',
      currency: (typed) => (/^[a-z]{3}$/i.test(typed) ? null : 'Three letters, such as NGN.'),
    },
  });
  const funding = useAsk({
    ask: ({ testHelpers }, money: { amount: number; currency: string }, options) =>
      testHelpers.fundWallet(money, options),
    changes: ['wallets', 'statistics'],
    onAnswer: setWallet,
  });
  const fund = ({ amount, currency: typed }: typeof form.values) => {
    const currency = typed.toUpperCase();
    setWallet(null);
    funding.ask({ amount: readAmount(amount, currency) ?? 0, currency });
  };
  return (
    <form onSubmit={form.onSubmit(fund)}>
      <Stack gap="sm">
        <Title order={3}>Fund the Transfer wallet</Title>
        <Group gap="xs" align="flex-start">
          <TextInput label="Amount" placeholder="5,000.00" inputMode="decimal" {...form.getInputProps('amount')} />
          <TextInput label="Currency" w={110} maxLength={3} {...form.getInputProps('currency')} />
          <Button type="submit" loading={funding.isBusy} mt={22}>
            Fund it
          </Button>
        </Group>
        {funding.error && <Failure error={funding.error} onTryAgain={funding.isLost ? funding.again : undefined} />}
        {wallet && (
          <Text size="sm" role="status">
            The Transfer wallet has <Money amount={wallet.available} currency={wallet.currency} /> now.{' '}
            <AnchorLink to="/$mode/balances" params={{ mode: 'test' }}>
              Look at the balances
            </AnchorLink>
          </Text>
        )}
      </Stack>
    </form>
  );
}
