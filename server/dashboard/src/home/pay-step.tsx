import { Button, Group, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { Output } from '@tillhook/sdk/session';
import { type ReactNode, useEffect, useState } from 'react';
import { useRead } from '../app/use-read.ts';
import { useMode } from '../app/use-tillhook.ts';
import { formatAmount, wholeAmount } from '../kit/amount.ts';
import { Copy } from '../kit/copy.tsx';
import { Failure } from '../kit/failure.tsx';
import { ExternalLink } from '../kit/icons.tsx';
import { AnchorLink } from '../kit/links.tsx';
import { StatusBadge } from '../kit/status-badge.tsx';
import { useServiceMutation } from '../kit/use-service-mutation.ts';

const testCard = '4242 4242 4242 4242';

type Checkout = Output<'createCheckout'>['data'];

/** The session comes from the caller, because its module requests the first step ahead. */
export function PayStep({ email, currency }: { email: string; currency: string }): ReactNode {
  const amount = wholeAmount(5_000, currency);
  const [checkout, setCheckout] = useState<Checkout | null>(null);
  const creating = useServiceMutation({
    mutate: (tillhook, email: string, options) =>
      tillhook.checkout.create({ email, amount, description: 'First steps' }, options),
    changes: ['payments', 'statistics'],
    onAnswer: ({ data }) => setCheckout(data),
  });
  const create = (label: string) => (
    <>
      <Button w="fit-content" loading={creating.isBusy} onClick={() => creating.mutate(email)}>
        {label}
      </Button>
      {creating.error && <Failure error={creating.error} onTryAgain={creating.again} />}
    </>
  );
  if (checkout) return <Paying {...checkout} createAnother={create('Create another checkout')} />;
  return (
    <Stack gap="sm" align="flex-start">
      <Text size="sm">
        Creates a test checkout of {formatAmount(amount, currency)}, as your program would. No money moves.
      </Text>
      {create('Create a checkout')}
    </Stack>
  );
}

interface PayingProps extends Checkout {
  /** Shown instead of the link to the checkout when the customer can no longer pay. */
  createAnother: ReactNode;
}

function Paying({ checkoutUrl, reference, createAnother }: PayingProps): ReactNode {
  const mode = useMode();
  const queryClient = useQueryClient();
  const payment = useRead({
    key: ['payments', reference],
    read: (tillhook, options) => tillhook.payments.get(reference, options),
    isLive: true,
  });
  const status = payment.data?.status;
  const hasEnded = status === 'completed' || status === 'failed' || status === 'expired';
  useEffect(() => {
    if (status === 'completed') void queryClient.invalidateQueries({ queryKey: [mode, 'statistics'] });
  }, [status, mode, queryClient]);
  return (
    <Stack gap="sm">
      {!hasEnded && (
        <Text component="div" size="sm">
          Pay with the card <Copy value={testCard} what="card number" />, any name, any future date and any CVC.
        </Text>
      )}
      <Group gap="sm">
        {!hasEnded && (
          <Button
            component="a"
            href={checkoutUrl}
            target="_blank"
            rel="noreferrer"
            leftSection={<ExternalLink size={16} aria-hidden />}
          >
            Open checkout in a new window
          </Button>
        )}
        {payment.error ? (
          <Failure error={payment.error} />
        ) : (
          <Text component="div" size="sm" role="status">
            <AnchorLink to="/$mode/payments/$reference" params={{ mode, reference }}>
              {reference}
            </AnchorLink>{' '}
            is {status ? <StatusBadge status={status} /> : '…'}
          </Text>
        )}
      </Group>
      {(status === 'failed' || status === 'expired') && createAnother}
    </Stack>
  );
}
