import { Group, Text } from '@mantine/core';
import type { Delivery } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { RotateCw } from '../kit/icons.tsx';
import { ComingMoment } from '../kit/moment.tsx';
import { StatusBadge } from '../kit/status-badge.tsx';
import { stateOf } from './delivery-states.ts';
import { shortReason } from './delivery-status.ts';

export function DeliveryBadge({ status, attemptCount }: Pick<Delivery, 'status' | 'attemptCount'>): ReactNode {
  return <StatusBadge status={stateOf({ status, attemptCount })} />;
}

export function DeliveryState(delivery: Delivery): ReactNode {
  return (
    <div>
      <BadgeOf {...delivery} />
      <Text size="xs" c="dimmed">
        <Why {...delivery} />
      </Text>
    </div>
  );
}

export function StateInLine(delivery: Delivery): ReactNode {
  return (
    <Group gap={6} wrap="nowrap" display="inline-flex">
      <BadgeOf {...delivery} />
      <Text size="xs" c="dimmed" visibleFrom="sm">
        <Why {...delivery} />
      </Text>
    </Group>
  );
}

function BadgeOf(delivery: Delivery): ReactNode {
  return (
    <Group gap={6} wrap="nowrap" display="inline-flex">
      <DeliveryBadge {...delivery} />
      {delivery.resentFrom !== null && <RotateCw size={13} aria-label="Resent" role="img" />}
    </Group>
  );
}

function Why(delivery: Delivery): ReactNode {
  const { nextAttemptAt, attemptCount } = delivery;
  if (nextAttemptAt === null || attemptCount === 0) return shortReason(delivery);
  return (
    <>
      Next attempt <ComingMoment at={nextAttemptAt} />
    </>
  );
}
