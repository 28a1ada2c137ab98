import { Button, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { Delivery, DeliveryDetail } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { useMode } from '../app/use-tillhook.ts';
import { Callout } from '../kit/callout.tsx';
import { Failure } from '../kit/failure.tsx';
import { RotateCw } from '../kit/icons.tsx';
import { AnchorLink } from '../kit/links.tsx';
import { useMayCall } from '../kit/may-call.tsx';
import { inMs } from '../kit/milliseconds.ts';
import { ComingMoment } from '../kit/moment.tsx';
import type { Tone } from '../kit/status-badge.tsx';
import { useServiceMutation } from '../kit/use-service-mutation.ts';
import { useEndpoint, useEndpoints } from '../webhooks/use-endpoints.ts';
import { reasonOf } from './delivery-status.ts';
import { type Advice, adviceOn } from './failure-advice.ts';

export function DeliverySummary({ delivery }: { delivery: DeliveryDetail }): ReactNode {
  const { tone, title } = headlineOf(delivery);
  const last = delivery.attempts.at(-1);
  const advice = last && delivery.status !== 'delivered' ? adviceOn(last) : null;
  const reason = reasonOf(delivery);
  // The advice about the last attempt says more than the status reason, such as "every attempt failed".
  const shown = advice ?? reason;
  const endpoint = useEndpoint(delivery.webhookId);
  const isRemoved = endpoint === null;
  const todo = shown && !isRemoved ? todoOf(shown, delivery) : null;
  return (
    <Callout tone={tone} title={title}>
      {shown && <Text size="sm">{shown.what}</Text>}
      {todo && (
        <Text size="sm">
          <b>What to do: </b>
          {todo}
        </Text>
      )}
      {delivery.nextAttemptAt !== null && !isRemoved && (
        <Text size="sm">
          Next automatic attempt <ComingMoment at={delivery.nextAttemptAt} />.
        </Text>
      )}
      <WhyNotAgain delivery={delivery} />
      <Resend key={delivery.id} delivery={delivery} />
    </Callout>
  );
}

/** The service does not send a test event again, so the advice to send it again is omitted. */
function todoOf({ todo, again }: Advice, { event }: DeliveryDetail): string | null {
  const sentences = [todo, event === 'test.event' ? null : again].filter(Boolean);
  return sentences.length > 0 ? sentences.join(' ') : null;
}

function headlineOf({ status, attempts }: DeliveryDetail): { tone: Tone; title: string } {
  const count = attempts.length;
  const last = attempts.at(-1);
  if (status === 'delivered') {
    const { durationMs = 0 } = last ?? {};
    return {
      tone: 'good',
      title: count > 1 ? `Delivered by attempt ${count} in ${inMs(durationMs)}` : `Delivered in ${inMs(durationMs)}`,
    };
  }
  if (status === 'skipped') return { tone: 'plain', title: 'Not sent' };
  if (status === 'failed') return { tone: 'bad', title: count === 1 ? 'Failed' : `Failed after ${count} attempts` };
  return count === 0
    ? { tone: 'waiting', title: 'Waiting to be sent' }
    : { tone: 'warn', title: count === 1 ? 'The first attempt failed' : `${count} attempts failed so far` };
}

function WhyNotAgain({ delivery: { event, webhookId, status } }: { delivery: DeliveryDetail }): ReactNode {
  const mode = useMode();
  const mayChange = useMayCall('resendDelivery');
  const endpoint = useEndpoint(webhookId);
  const toEndpoint = (
    <AnchorLink to="/$mode/webhooks/$id" params={{ mode, id: webhookId }}>
      Open the endpoint
    </AnchorLink>
  );
  if (!mayChange || status === 'delivered' || endpoint === undefined) return null;
  if (endpoint === null) return <Text size="sm">The endpoint was removed, so nothing can be sent to it again.</Text>;
  if (event === 'test.event')
    return <Text size="sm">Test events cannot be resent. {toEndpoint} and send another.</Text>;
  if (!endpoint.isActive) return <Text size="sm">The endpoint is not active. {toEndpoint} and resume it first.</Text>;
  return null;
}

/** The button is hidden when the service would refuse to send the delivery again. */
export function Resend({ delivery }: { delivery: Delivery }): ReactNode {
  const mayChange = useMayCall('resendDelivery');
  const { isPending: isUnknown } = useEndpoints();
  const endpoint = useEndpoint(delivery.webhookId);
  const navigate = useNavigate();
  const sending = useServiceMutation({
    mutate: (tillhook, id: string, { idempotencyKey }) => tillhook.deliveries.resend(id, { idempotencyKey }),
    changes: ['deliveries', 'events'],
    onAnswer: ({ data: { id, mode } }) => navigate({ to: '/$mode/deliveries/$id', params: { mode, id } }),
  });
  const waitsForFirstAttempt = delivery.status === 'pending' && delivery.attemptCount === 0;
  if (!mayChange || waitsForFirstAttempt || delivery.event === 'test.event' || endpoint === null) return null;
  return (
    <>
      <Button
        size="xs"
        variant={delivery.status === 'delivered' ? 'default' : 'filled'}
        leftSection={<RotateCw size={14} aria-hidden />}
        loading={sending.isBusy}
        disabled={isUnknown || endpoint?.isActive === false}
        onClick={() => sending.mutate(delivery.id)}
      >
        Resend
      </Button>
      {sending.error && (
        <Failure error={sending.error} onTryAgain={sending.again}>
          {sending.isLost && 'It may have been sent. If you try again, it is still sent only once.'}
        </Failure>
      )}
    </>
  );
}
