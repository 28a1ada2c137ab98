import { Group, Stack, Text, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Delivery, Event } from '@tillhook/sdk/session';
import { type ReactNode, useId } from 'react';
import { ChevronRight } from '../kit/icons.tsx';
import { AnchorLink } from '../kit/links.tsx';
import { ComingMoment, ExactMoment } from '../kit/moment.tsx';
import { plural } from '../kit/plural.ts';
import { StatusBadge } from '../kit/status-badge.tsx';
import { statusWord } from '../kit/status-words.ts';
import type { Step } from '../kit/steps.tsx';
import { type DeliveryState, stateNames, stateOf } from './delivery-states.ts';
import classes from './webhooks-of-event.module.css';

/** The step of an event in the timeline of its record. Its deliveries are folded, and nowhere else on the page. */
export function eventStep(event: Event, deliveries: readonly Delivery[]): Step {
  const { id, event: name, timestamp, mode } = event;
  const title = (
    <AnchorLink to="/$mode/events/$id" params={{ mode, id }} fw={600}>
      {name}
    </AnchorLink>
  );
  const own = deliveries.filter(({ eventId }) => eventId === id);
  return { key: id, at: timestamp, title, text: <WebhooksOfEvent deliveries={own} /> };
}

function WebhooksOfEvent({ deliveries }: { deliveries: readonly Delivery[] }): ReactNode {
  const [isOpen, { toggle }] = useDisclosure();
  const id = useId();
  if (deliveries.length === 0) {
    return (
      <Text span inherit c="dimmed">
        No endpoint was subscribed to the event when it happened. An endpoint that you add receives only later events.
      </Text>
    );
  }
  return (
    <>
      <UnstyledButton className={classes.fold} aria-expanded={isOpen} aria-controls={id} onClick={toggle}>
        <ChevronRight size={14} className={classes.chevron} aria-hidden />
        {plural(deliveries.length, { one: '1 webhook', other: `${deliveries.length} webhooks` })}
        <Outcomes deliveries={deliveries} />
      </UnstyledButton>
      <Stack id={id} gap={6} className={classes.deliveries} hidden={!isOpen}>
        {isOpen && deliveries.map((delivery) => <DeliveryLine key={delivery.id} delivery={delivery} />)}
      </Stack>
    </>
  );
}

/** A delivery that was sent again counts only by its newest delivery to the same endpoint. */
function Outcomes({ deliveries }: { deliveries: readonly Delivery[] }): ReactNode {
  const newest = [...new Map(deliveries.map((delivery) => [delivery.webhookId, delivery])).values()];
  const counts = stateNames.flatMap((state) => {
    const count = newest.filter((delivery) => stateOf(delivery) === state).length;
    return count > 0 ? [{ state, count }] : [];
  });
  return counts.map(({ state, count }) => (
    <StatusBadge key={state} status={state}>
      {counts.length === 1 ? statusWord(state) : `${statusWord(state)}: ${count}`}
    </StatusBadge>
  ));
}

const outcomes: Record<DeliveryState, (event: string, host: ReactNode) => ReactNode> = {
  pending: (event, host) => (
    <>
      {event} is being sent to {host}
    </>
  ),
  retrying: (event, host) => (
    <>
      {event} is being retried at {host}
    </>
  ),
  delivered: (event, host) => (
    <>
      {event} was delivered to {host}
    </>
  ),
  failed: (event, host) => (
    <>
      {event} could not be delivered to {host}
    </>
  ),
  skipped: (event, host) => (
    <>
      {event} was not sent to {host}
    </>
  ),
};

function DeliveryLine({ delivery }: { delivery: Delivery }): ReactNode {
  const { id, event, url, mode, resentFrom, createdAt, completedAt } = delivery;
  return (
    <div>
      <AnchorLink to="/$mode/deliveries/$id" params={{ mode, id }}>
        {outcomes[stateOf(delivery)](event, <bdi>{new URL(url).host}</bdi>)}
        {resentFrom !== null && ' (resent)'}
      </AnchorLink>
      <Group gap="0 0.75rem">
        <Text size="xs">
          <AttemptWords {...delivery} />
        </Text>
        <Text size="xs" c="dimmed">
          <ExactMoment at={completedAt ?? createdAt} />
        </Text>
      </Group>
    </div>
  );
}

function AttemptWords({ attemptCount, nextAttemptAt }: Delivery): ReactNode {
  const attempts = plural(attemptCount, { one: '1 attempt', other: `${attemptCount} attempts` });
  if (attemptCount === 0 || nextAttemptAt === null) return attempts;
  return (
    <>
      {attempts} failed, next attempt <ComingMoment at={nextAttemptAt} />
    </>
  );
}
