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
  const { nextAttemptAt, attemptCount, resentFrom } = delivery;
  return (
    <div>
      <Group gap={6} wrap="nowrap" display="inline-flex">
        <DeliveryBadge {...delivery} />
        {resentFrom !== null && <RotateCw size={13} aria-label="sent again" role="img" />}
      </Group>
      <Text size="xs" c="dimmed">
        {nextAttemptAt !== null && attemptCount > 0 ? (
          <>
            next try <ComingMoment at={nextAttemptAt} />
          </>
        ) : (
          shortReason(delivery)
        )}
      </Text>
    </div>
  );
}
