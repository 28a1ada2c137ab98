import { Group } from '@mantine/core';
import type { WebhookEndpoint } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { StatusBadge } from '../kit/status-badge.tsx';

export function statusOf({ isActive, disabledReason }: WebhookEndpoint): 'active' | 'paused' | 'disabled' {
  if (isActive) return 'active';
  return disabledReason === undefined ? 'paused' : 'disabled';
}

interface EndpointStatusProps {
  endpoint: WebhookEndpoint;
  isFailing: boolean | undefined;
}

export function EndpointStatus({ endpoint, isFailing }: EndpointStatusProps): ReactNode {
  return (
    <Group gap={6} display="inline-flex">
      {endpoint.isActive && isFailing ? (
        <StatusBadge status="failing" tone="bad" />
      ) : (
        <StatusBadge status={statusOf(endpoint)} />
      )}
      {endpoint.nextSecretAt !== undefined && (
        <StatusBadge status="rotating" tone="warn">
          Rotation staged
        </StatusBadge>
      )}
    </Group>
  );
}
