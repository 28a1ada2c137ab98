import { Group, Paper, Skeleton, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { HealthStrip, healthWords } from './health-strip.tsx';
import { useHealth } from './use-health.ts';

/** The last day of one endpoint: its deliveries, and the time that its receiver took to answer. */
export function EndpointHealthPanel({ endpointId }: { endpointId: string }): ReactNode {
  const known = useHealth();
  const health = known?.get(endpointId);
  // It has the height of the loaded panel, so that the deliveries below do not move.
  if (!known) return <Skeleton h={127} aria-busy />;
  if (!health) return null;
  const times = health.hours.flatMap(({ median, p95 }) => (median === null || p95 === null ? [] : [{ median, p95 }]));
  const latest = times.at(-1);
  return (
    <Paper p="md">
      <Stack gap="xs">
        <Group justify="space-between" gap="xs">
          <Text size="sm" fw={600}>
            {healthWords(health)}
          </Text>
          {latest && (
            <Text size="sm" c="dimmed">
              {`Answers of the latest hour: median ${latest.median} ms, 95 in 100 within ${latest.p95} ms. Slowest hour: ${Math.max(...times.map(({ p95 }) => p95))} ms.`}
            </Text>
          )}
        </Group>
        <HealthStrip health={health} isLarge />
        <Group justify="space-between" aria-hidden>
          <Text size="xs" c="dimmed">
            24 hours ago
          </Text>
          <Text size="xs" c="dimmed">
            now
          </Text>
        </Group>
      </Stack>
    </Paper>
  );
}
