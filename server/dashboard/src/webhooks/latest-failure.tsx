import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useRead } from '../app/use-read.ts';
import { useMode } from '../app/use-tillhook.ts';
import { adviceOn } from '../deliveries/failure-advice.ts';
import { AnchorLink } from '../kit/links.tsx';
import { useLatestDeliveries } from './use-latest-deliveries.ts';

/** Says why the endpoint fails, so that users need not open a delivery. */
export function LatestFailure({ endpointId }: { endpointId: string }): ReactNode {
  const mode = useMode();
  const latest = useLatestDeliveries(endpointId).data?.deliveries ?? [];
  const id = latest.find(({ status, attemptCount }) => status !== 'delivered' && attemptCount > 0)?.id;
  const delivery = useRead({
    key: ['deliveries', id],
    read: (tillhook, options) => tillhook.deliveries.get(id ?? '', options),
    isLive: true,
    isEnabled: id !== undefined,
  });
  const attempt = delivery.data?.attempts.at(-1);
  if (!attempt || id === undefined) return null;
  const { what, todo } = adviceOn(attempt);
  return (
    <Text size="sm">
      <b>Latest failing delivery: </b>
      {what} {todo}{' '}
      <AnchorLink to="/$mode/deliveries/$id" params={{ mode, id }}>
        View request
      </AnchorLink>
    </Text>
  );
}
