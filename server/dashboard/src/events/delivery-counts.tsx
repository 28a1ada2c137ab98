import { Group, Text } from '@mantine/core';
import type { Event } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { StatusBadge } from '../kit/status-badge.tsx';

const order = ['failed', 'pending', 'delivered', 'skipped'] as const;

/** Replaces the word "pending", because a pending delivery may already have failed attempts. */
const words: Partial<Record<(typeof order)[number], string>> = { pending: 'not delivered yet' };

export function DeliveryCounts({ counts }: { counts: Event['deliveries'] }): ReactNode {
  const some = order.filter((status) => counts[status] > 0);
  if (some.length === 0) {
    return (
      <Text size="xs" c="dimmed" component="span">
        no endpoint subscribed
      </Text>
    );
  }
  return (
    <Group gap={6}>
      {some.map((status) => (
        <StatusBadge key={status} status={status}>
          {`${counts[status]} ${words[status] ?? status}`}
        </StatusBadge>
      ))}
    </Group>
  );
}
