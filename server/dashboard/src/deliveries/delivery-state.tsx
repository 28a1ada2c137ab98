import { Group, Text } from '@mantine/core';
import type { Delivery } from '@tillhook/sdk/session';
import { RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { ComingMoment } from '../kit/moment.tsx';
import { StatusBadge } from '../kit/status-badge.tsx';
import { shortReason } from './status-words.ts';

/**
 * The status of a delivery.
 * Choice: `pending` after a failed attempt is shown as failing, because the merchant may have to act.
 */
export function DeliveryBadge({ status, attemptCount }: Pick<Delivery, 'status' | 'attemptCount'>): ReactNode {
  if (status === 'pending' && attemptCount > 0) {
    return (
      <StatusBadge status={status} tone="warn">
        failing
      </StatusBadge>
    );
  }
  return <StatusBadge status={status} />;
}

/** The status, and below it the reason or the next step. */
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
