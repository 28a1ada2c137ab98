import { Text } from '@mantine/core';
import type { Transfer } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { eventStep } from '../deliveries/webhooks-of-event.tsx';
import { whyItFailed } from '../kit/status-words.ts';
import { type Step, Steps } from '../kit/steps.tsx';
import type { TransferEvents } from './use-transfer-events.ts';

export function TransferTimeLine(props: TransferEvents & { transfer: Transfer }): ReactNode {
  const { transfer, events, deliveries } = props;
  const steps = [
    { key: 'created', at: transfer.createdAt, title: 'Transfer created' },
    ...endOf(transfer),
    ...events.map((event) => eventStep(event, deliveries)),
  ];
  return (
    <>
      <Steps steps={steps} />
      {events.length === 0 && (
        <Text size="sm" c="dimmed">
          {whyNothingWasSent(transfer)}
        </Text>
      )}
    </>
  );
}

function whyNothingWasSent({ status }: Transfer): string {
  if (status === 'pending' || status === 'processing')
    return 'Nothing was sent yet. Your endpoints receive transfer.success or transfer.failed when the transfer has ended.';
  return 'No event. Old events are deleted after some time.';
}

/** A transfer does not store when it failed or was reversed, so the time of its last change is shown. */
function endOf(transfer: Transfer): Step[] {
  const { status, completedAt, updatedAt } = transfer;
  const completed = completedAt ? [{ key: 'completed', at: completedAt, title: 'Transfer completed' }] : [];
  if (status !== 'failed' && status !== 'reversed') return completed;
  const title = status === 'failed' ? 'Transfer failed' : 'Transfer reversed';
  return [...completed, { key: status, at: updatedAt, title, text: whyItFailed(transfer), tone: 'bad' }];
}
