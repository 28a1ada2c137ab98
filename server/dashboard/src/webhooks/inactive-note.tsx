import { Text } from '@mantine/core';
import type { WebhookEndpoint } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { Callout } from '../kit/callout.tsx';
import { ExactMoment } from '../kit/moment.tsx';

const reasons: Record<string, { why: string; todo: string }> = {
  endpoint_gone: {
    why: 'The receiver answered 410, which says that it is gone for good.',
    todo: 'If it is not, correct it and send it a test event. Then resume the endpoint and replay what it missed. If it is gone, remove the endpoint.',
  },
  repeated_failures: {
    why: 'Every delivery of the last days failed. The service then stops sending to the endpoint by itself.',
    todo: 'Open a failed delivery to see why. Correct the receiver, send a test event until it is delivered, then resume the endpoint and replay what it missed.',
  },
};

export function InactiveNote({ endpoint }: { endpoint: WebhookEndpoint }): ReactNode {
  const { isActive, disabledReason, disabledAt } = endpoint;
  if (isActive) return null;
  if (disabledReason === undefined) {
    return (
      <Callout tone="warn" title="Paused: nothing is sent to this endpoint">
        Events are kept as skipped deliveries for some time. Resume the endpoint, and then replay what it missed.
      </Callout>
    );
  }
  const { why, todo } = reasons[disabledReason] ?? {
    why: `The service disabled it: ${disabledReason.replaceAll('_', ' ')}.`,
    todo: 'Resume it once that is corrected.',
  };
  return (
    <Callout tone="bad" title="Disabled by the service: nothing is sent to this endpoint">
      <Text size="sm">
        {why}{' '}
        {disabledAt !== undefined && (
          <>
            Since <ExactMoment at={disabledAt} />.
          </>
        )}
      </Text>
      <Text size="sm">
        <b>What to do: </b>
        {todo}
      </Text>
    </Callout>
  );
}
