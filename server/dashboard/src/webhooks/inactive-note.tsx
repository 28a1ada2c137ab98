import { Text } from '@mantine/core';
import type { WebhookEndpoint } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { Callout } from '../kit/callout.tsx';
import { ExactMoment } from '../kit/moment.tsx';
import { readable } from '../kit/status-words.ts';

const reasons: Record<string, { why: string; todo: string }> = {
  endpoint_gone: {
    why: 'The receiver returned 410, which means that it is permanently gone.',
    todo: 'If it is not, fix it and send it a test event. Then resume the endpoint and replay what it missed. If it is gone, remove the endpoint.',
  },
  repeated_failures: {
    why: 'Every delivery of the last few days failed, so the endpoint was disabled automatically.',
    todo: 'Open a failed delivery to see why. Fix the receiver, send test events until one is delivered, then resume the endpoint and replay what it missed.',
  },
};

export function InactiveNote({ endpoint }: { endpoint: WebhookEndpoint }): ReactNode {
  const { isActive, disabledReason, disabledAt } = endpoint;
  if (isActive) return null;
  if (disabledReason === undefined) {
    return (
      <Callout tone="warn" title="Paused. Nothing is sent to this endpoint">
        Events are kept as skipped deliveries for some time. Resume the endpoint, then replay what it missed.
      </Callout>
    );
  }
  const { why, todo } = reasons[disabledReason] ?? {
    why: `Reason: ${readable(disabledReason)}.`,
    todo: 'Resume it once that is fixed.',
  };
  return (
    <Callout tone="bad" title="Disabled automatically. Nothing is sent to this endpoint">
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
