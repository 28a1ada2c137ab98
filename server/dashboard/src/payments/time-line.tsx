import { Text, Timeline } from '@mantine/core';
import type { AuditEntry, Delivery, Event, Payment, PaymentAttempt, Refund } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { useRead } from '../app/use-read.ts';
import { useMode } from '../app/use-tillhook.ts';
import { stateOf } from '../deliveries/delivery-states.ts';
import { formatAmount } from '../kit/amount.ts';
import { AnchorLink } from '../kit/links.tsx';
import { ComingMoment, ExactMoment } from '../kit/moment.tsx';
import { reasonOf } from './attempts-table.tsx';
import { cardWords } from './card-words.ts';
import { whyItFailed } from './refunds-table.tsx';
import classes from './time-line.module.css';
import type { PaymentStory } from './use-payment-story.ts';

interface Step {
  key: string;
  at: string;
  title: ReactNode;
  text?: ReactNode;
}

export function TimeLine({
  payment,
  attempts,
  refunds,
  events,
  deliveries,
}: Omit<PaymentStory, 'refundCount'> & { payment: Payment }): ReactNode {
  const steps = [
    // The sort is stable: an attempt that ends the payment stays before this end, even if both have the same time.
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

/** A payment does not store the time of its failure, so the time is taken from the event. */
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
  retrying: 'is being retried at',
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

/** A completed refund can still fail, because the customer's bank may return the money. */
export function refundSteps(refund: Refund) {
  const { id, amount, currency, status, reason, origin, createdAt, completedAt, updatedAt } = refund;
  const what = `Refund of ${formatAmount(amount, currency)}`;
  const from = origin === 'processor' ? ' at the payment processor' : '';
  return [
    { key: `${id} created`, at: createdAt, title: `${what} created${from}`, text: reason },
    ...(completedAt ? [{ key: `${id} completed`, at: completedAt, title: `${what} completed` }] : []),
    // A refund does not store the time of its failure, so the time of its last change is shown, which is the failure.
    ...(status === 'failed'
      ? [{ key: `${id} failed`, at: updatedAt, title: `${what} failed`, text: whyItFailed(refund) }]
      : []),
  ];
}

/**
 * `cancelledBy` shows whether the payment was cancelled, and the audit log shows who cancelled the payment.
 * See docs/decisions/dashboard.md, "Which person cancelled a payment is read from the audit log".
 */
export function WhyExpired({ payment: { reference, cancelledBy } }: { payment: Payment }): ReactNode {
  const mode = useMode();
  const { data } = useRead({
    key: ['audit', 'cancelled', reference],
    read: (tillhook, options) => {
      return tillhook.auditEntries.list({ action: 'cancelCheckout', subject: reference, limit: 100 }, options);
    },
    isEnabled: cancelledBy !== null,
  });
  if (!cancelledBy) return 'It was not paid in time. It can no longer be paid.';
  if (!data) return 'It can no longer be paid.';
  const entry = data.auditEntries.find((one) => one.mode === mode);
  return <>{entry ? <CancelledBy {...entry} /> : 'A program cancelled it with a key.'} It can no longer be paid.</>;
}

function CancelledBy({ actor }: AuditEntry): ReactNode {
  return (
    <>
      <bdi>{actor.email ?? 'The operator of this service'}</bdi> cancelled it.
    </>
  );
}
