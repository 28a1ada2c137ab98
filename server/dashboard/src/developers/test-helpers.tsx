import { Button, Divider, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import type { Payment, Wallet } from '@tillhook/sdk/session';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useMode } from '../app/use-tillhook.ts';
import { useFunding } from '../balances/funding.tsx';
import { AmountFields } from '../kit/amount-fields.tsx';
import { Failure } from '../kit/failure.tsx';
import { AnchorLink } from '../kit/links.tsx';
import { useMayCall } from '../kit/may-call.tsx';
import { Money } from '../kit/money.tsx';
import { Section } from '../kit/section.tsx';
import { StatusBadge } from '../kit/status-badge.tsx';
import { useServiceMutation } from '../kit/use-service-mutation.ts';
import { AdvanceTime } from './advance-time.tsx';

export function TestHelpers(): ReactNode {
  const mode = useMode();
  const mayChange = useMayCall('testCompletePayment');
  return (
    <Section title="Test helpers" about="Simulate what a customer, a bank or time would do. No money moves.">
      {mode === 'test' && mayChange ? (
        <Stack gap="md">
          <FinishPayment />
          <Divider />
          <FundWallet />
          <Divider />
          <AdvanceTime />
        </Stack>
      ) : (
        <Text size="sm" c="dimmed">
          {mode === 'live' ? (
            <>
              Only available in test mode.{' '}
              <AnchorLink to="/$mode/developers" params={{ mode: 'test' }}>
                Go to test mode
              </AnchorLink>
            </>
          ) : (
            'Your role cannot use them. An administrator or a developer can.'
          )}
        </Text>
      )}
    </Section>
  );
}

type Outcome = 'completed' | 'failed';

export function FinishPayment(): ReactNode {
  const [reference, setReference] = useState('');
  const [finished, setFinished] = useState<Payment | null>(null);
  const finishing = useServiceMutation({
    mutate: ({ test }, { name, as }: { name: string; as: Outcome }, options) =>
      as === 'completed' ? test.completePayment(name, options) : test.failPayment(name, options),
    changes: ['payments', 'statistics', 'wallets', 'deliveries', 'events'],
    onAnswer: setFinished,
  });
  const finish = (as: Outcome) => {
    setFinished(null);
    finishing.mutate({ name: reference.trim(), as });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    finish('completed');
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Title order={3}>Finish a payment</Title>
        <Group gap="xs" align="flex-end">
          <TextInput
            label="Reference of a pending payment"
            placeholder="order-1042"
            required
            withAsterisk={false}
            maxLength={64}
            value={reference}
            onChange={({ currentTarget }) => setReference(currentTarget.value)}
          />
          <Button type="submit" loading={finishing.isBusy} disabled={!reference.trim()}>
            Complete payment
          </Button>
          <Button
            variant="default"
            loading={finishing.isBusy}
            disabled={!reference.trim()}
            onClick={() => finish('failed')}
          >
            Fail payment
          </Button>
        </Group>
        {finishing.error && (
          <Failure error={finishing.error} onTryAgain={finishing.isLost ? finishing.again : undefined} />
        )}
        {finished && (
          <Text component="div" size="sm" role="status">
            <AnchorLink to="/$mode/payments/$reference" params={{ mode: 'test', reference: finished.reference }}>
              {finished.reference}
            </AnchorLink>{' '}
            is now <StatusBadge status={finished.status} />
          </Text>
        )}
      </Stack>
    </form>
  );
}

export function FundWallet(): ReactNode {
  const [wallet, setWallet] = useState<Wallet | null>(null);
  const { form, funding, fund } = useFunding(setWallet);
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
          <Button type="submit" loading={funding.isBusy} mt={22}>
            Fund wallet
          </Button>
        </Group>
        {funding.error && <Failure error={funding.error} onTryAgain={funding.isLost ? funding.again : undefined} />}
        {wallet && (
          <Text size="sm" role="status">
            The Transfer wallet now has <Money amount={wallet.available} currency={wallet.currency} />.{' '}
            <AnchorLink to="/$mode/balances" params={{ mode: 'test' }}>
              View balances
            </AnchorLink>
          </Text>
        )}
      </Stack>
    </form>
  );
}
