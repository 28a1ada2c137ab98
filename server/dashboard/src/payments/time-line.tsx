import { Text, Timeline } from '@mantine/core';
import type { Delivery, Event, Payment, PaymentAttempt } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { stateOf } from '../deliveries/status-words.ts';
import { AnchorLink } from '../kit/links.tsx';
import { ComingMoment, ExactMoment } from '../kit/moment.tsx';
import { reasonOf } from './attempts-table.tsx';
import { cardWords } from './card-words.ts';
import { refundSteps } from './refund-steps.ts';
import classes from './time-line.module.css';
import type { PaymentStory } from './use-payment-story.ts';
import { WhyExpired } from './why-expired.tsx';

interface Step {
  key: string;
  at: string;
  title: ReactNode;
  text?: ReactNode;
}

/**
 * The history of a payment, oldest first: its creation, each attempt to pay, its refunds, its events and the end of
 * each delivery.
 */
export function TimeLine({
  payment,
  attempts,
  refunds,
  events,
  deliveries,
}: Omit<PaymentStory, 'refundCount'> & { payment: Payment }): ReactNode {
  const steps = [
    // When times are equal, the attempt comes first, because it ends the payment.
    { key: 'created', at: payment.createdAt, title: 'Checkout created' },
    ...attempts.map(attemptStep),
    ...endOf(payment),
    ...failureSteps(payment, events),
    ...refunds.flatMap(refundSteps),
    ...events.map(eventStep),
    ...deliveries.map(deliveryStep),
  ].sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
  return (
    <Timeline
      bulletSize={12}
      lineWidth={2}
      active={steps.length}
      classNames={{ item: classes.item ?? '', itemBullet: classes.bullet ?? '' }}
    >
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

function endOf(payment: Payment): Step[] {
  const { completedAt, expiresAt, status, cancelledBy } = payment;
  if (completedAt) return [{ key: 'completed', at: completedAt, title: 'Payment completed' }];
  if (status !== 'expired') return [];
  const title = cancelledBy ? 'Checkout cancelled' : 'Checkout expired';
  return [{ key: 'expired', at: expiresAt, title, text: <WhyExpired payment={payment} /> }];
}

/** A payment does not store the time of its failure. Its event has that time. */
function failureSteps(payment: Payment, events: readonly Event[]): Step[] {
  const failedEvent = payment.status === 'failed' && events.find(({ event }) => event === 'checkout.failed');
  return failedEvent
    ? [{ key: 'failed', at: failedEvent.timestamp, title: 'Payment failed', text: reasonOf(payment) }]
    : [];
}

const tries: Record<PaymentAttempt['outcome'], string> = {
  open: 'is being decided',
  paid: 'was accepted',
  declined: 'was declined',
  cancelled: 'ended without a charge',
};

function attemptStep({ number, startedAt, settledAt, card, outcome, ...failure }: PaymentAttempt): Step {
  const title = `Attempt ${number}${card ? ` with ${cardWords(card)}` : ''} ${tries[outcome]}`;
  return { key: `attempt ${number}`, at: settledAt ?? startedAt, title, text: reasonOf(failure) };
}

function eventStep({ id, event, timestamp, mode }: Event): Step {
  const title = (
    <AnchorLink to="/$mode/events/$id" params={{ mode, id }} fw={600}>
      {event}
    </AnchorLink>
  );
  return { key: id, at: timestamp, title, text: 'The event that is sent to your endpoints.' };
}

const outcomes = {
  pending: 'is being sent to',
  failing: 'could not be delivered yet to',
  delivered: 'was delivered to',
  failed: 'could not be delivered to',
  skipped: 'was not sent to',
};

function deliveryStep(delivery: Delivery): Step {
  const { id, event, url, mode, resentFrom, createdAt, completedAt } = delivery;
  const title = (
    <AnchorLink to="/$mode/deliveries/$id" params={{ mode, id }} fw={600}>
      {event} {outcomes[stateOf(delivery)]} <bdi>{new URL(url).host}</bdi>
      {resentFrom !== null && ' (sent again)'}
    </AnchorLink>
  );
  return { key: id, at: completedAt ?? createdAt, title, text: <AttemptWords {...delivery} /> };
}

function AttemptWords({ attemptCount, nextAttemptAt }: Delivery): ReactNode {
  const attempts = attemptCount === 1 ? '1 attempt' : `${attemptCount} attempts`;
  if (attemptCount === 0 || nextAttemptAt === null) return attempts;
  return (
    <>
      {attempts} failed, next try <ComingMoment at={nextAttemptAt} />
    </>
  );
}
