import { Group, Text } from '@mantine/core';
import type { Event } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { countIn, deliveryStates, stateNames } from '../deliveries/delivery-states.ts';
import { StatusBadge } from '../kit/status-badge.tsx';

export function DeliveryCounts({ counts }: { counts: Event['deliveries'] }): ReactNode {
  const some = stateNames.filter((state) => countIn(state, counts) > 0);
  if (some.length === 0) {
    return (
      <Text size="xs" c="dimmed" component="span">
        No endpoint subscribed
      </Text>
    );
  }
  return (
    <Group gap={6}>
      {some.map((state) => (
        <StatusBadge key={state} status={state}>
          {`${deliveryStates[state].title}: ${countIn(state, counts)}`}
        </StatusBadge>
      ))}
    </Group>
  );
}
