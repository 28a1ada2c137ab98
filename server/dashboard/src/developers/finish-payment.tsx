import { Button, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import type { Payment } from '@tillhook/sdk/session';
import { type FormEvent, type ReactNode, useState } from 'react';
import { Failure } from '../kit/failure.tsx';
import { AnchorLink } from '../kit/links.tsx';
import { StatusBadge } from '../kit/status-badge.tsx';
import { useAsk } from '../kit/use-ask.ts';

type Outcome = 'completed' | 'failed';

/** Completes or fails a pending payment, as a customer's card would. */
export function FinishPayment(): ReactNode {
  const [reference, setReference] = useState('');
  const [finished, setFinished] = useState<Payment | null>(null);
  const finishing = useAsk({
    ask: ({ test }, { name, as }: { name: string; as: Outcome }, options) =>
      as === 'completed' ? test.completePayment(name, options) : test.failPayment(name, options),
    changes: ['payments', 'statistics', 'wallets', 'deliveries', 'events'],
    onAnswer: setFinished,
  });
  const finish = (as: Outcome) => {
    setFinished(null);
    finishing.ask({ name: reference.trim(), as });
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
            Complete it
          </Button>
          <Button
            variant="default"
            loading={finishing.isBusy}
            disabled={!reference.trim()}
            onClick={() => finish('failed')}
          >
            Fail it
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
