import { Button, Group, Stack, Text, Title } from '@mantine/core';
import type { Wallet } from '@tillhook/sdk/session';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useFunding } from '../balances/use-funding.ts';
import { AmountFields } from '../kit/amount-fields.tsx';
import { Failure } from '../kit/failure.tsx';
import { AnchorLink } from '../kit/links.tsx';
import { Money } from '../kit/money.tsx';

/** Adds test money to the wallet from which transfers are paid. */
export function FundWallet(): ReactNode {
  const [wallet, setWallet] = useState<Wallet | null>(null);
  const { form, asking, fund } = useFunding(setWallet);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    setWallet(null);
    fund(event);
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <Title order={3}>Fund the Transfer wallet</Title>
        <Group gap="xs" align="flex-start">
          <AmountFields
            label="Amount"
            amount={form.getInputProps('amount')}
            currency={form.getInputProps('currency')}
          />
          <Button type="submit" loading={asking.isBusy} mt={22}>
            Fund it
          </Button>
        </Group>
        {asking.error && <Failure error={asking.error} onTryAgain={asking.isLost ? asking.again : undefined} />}
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
