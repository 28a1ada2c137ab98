import { Text, Timeline } from '@mantine/core';
import type { Delivery, Event, Payment } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { AnchorLink } from '../kit/links.tsx';
import { ExactMoment } from '../kit/moment.tsx';
import type { PaymentStory } from './use-payment-story.ts';

interface Step {
  key: string;
  at: string;
  title: ReactNode;
  text?: ReactNode;
}

/** All that happened to a payment, oldest first: its creation, its events and the end of each delivery. */
export function TimeLine({ payment, events, deliveries }: PaymentStory & { payment: Payment }): ReactNode {
  const steps = [...stepsOf(payment), ...events.map(eventStep), ...deliveries.map(deliveryStep)].sort(
    (one, other) => Date.parse(one.at) - Date.parse(other.at),
  );
  return (
    <Timeline bulletSize={12} lineWidth={2} active={steps.length}>
      {steps.map(({ key, at, title, text }) => (
        <Timeline.Item key={key} title={title}>
          {text && <Text size="sm">{text}</Text>}
          <Text size="xs" c="dimmed">
            <ExactMoment at={at} />
          </Text>
        </Timeline.Item>
      ))}
    </Timeline>
  );
}

function stepsOf({ createdAt, completedAt, expiresAt, status }: Payment): Step[] {
  return [
    { key: 'created', at: createdAt, title: 'Checkout created' },
    ...(completedAt ? [{ key: 'completed', at: completedAt, title: 'Payment completed' }] : []),
    ...(status === 'expired' ? [{ key: 'expired', at: expiresAt, title: 'Checkout expired' }] : []),
  ];
}

function eventStep({ id, event, timestamp, mode }: Event): Step {
  const title = (
    <AnchorLink to="/$mode/events/$id" params={{ mode, id }} fw={600}>
      {event}
    </AnchorLink>
  );
  return { key: id, at: timestamp, title, text: 'The event, as your endpoints hear of it.' };
}

const outcomes = {
  pending: 'is being sent to',
  delivered: 'was delivered to',
  failed: 'could not be delivered to',
  skipped: 'was not sent to',
};

function deliveryStep({ id, event, status, url, mode, createdAt, completedAt, attemptCount }: Delivery): Step {
  const title = (
    <AnchorLink to="/$mode/deliveries/$id" params={{ mode, id }} fw={600}>
      {event} {outcomes[status]} <bdi>{new URL(url).host}</bdi>
    </AnchorLink>
  );
  const attempts = attemptCount === 1 ? '1 attempt' : `${attemptCount} attempts`;
  return { key: id, at: completedAt ?? createdAt, title, text: attempts };
}
