import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { Delivery } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { Failure } from '../kit/failure.tsx';
import { RotateCw } from '../kit/icons.tsx';
import { useMayChange } from '../kit/may-change.tsx';
import { useAsk } from '../kit/use-ask.ts';
import { useEndpoint, useEndpoints } from '../webhooks/use-endpoints.ts';

/**
 * Sends a delivery again, which creates a new delivery, and opens the new one. The button is missing when the service
 * would refuse this.
 */
export function Resend({ delivery }: { delivery: Delivery }): ReactNode {
  const mayChange = useMayChange();
  const { isPending: isUnknown } = useEndpoints();
  const endpoint = useEndpoint(delivery.webhookId);
  const navigate = useNavigate();
  const sending = useAsk({
    ask: (tillhook, id: string, { idempotencyKey }) => tillhook.deliveries.resend(id, { idempotencyKey }),
    changes: ['deliveries', 'events'],
    onAnswer: ({ data: { id, mode } }) => navigate({ to: '/$mode/deliveries/$id', params: { mode, id } }),
  });
  const waitsForFirstAttempt = delivery.status === 'pending' && delivery.attemptCount === 0;
  if (!mayChange || waitsForFirstAttempt || delivery.event === 'test.event' || endpoint === null) return null;
  return (
    <>
      <Button
        size="xs"
        leftSection={<RotateCw size={14} aria-hidden />}
        loading={sending.isBusy}
        disabled={isUnknown || endpoint?.isActive === false}
        onClick={() => sending.ask(delivery.id)}
      >
        Send again
      </Button>
      {sending.error && (
        <Failure error={sending.error} onTryAgain={sending.again}>
          {sending.isLost && 'It may have been sent. Trying again sends it once.'}
        </Failure>
      )}
    </>
  );
}
