import { Button, List, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type Delivery, NotFoundError, type TillhookSession } from '@tillhook/sdk/session';
import { type ReactNode, useState } from 'react';
import { FormDialog } from '../kit/form-dialog.tsx';
import { notify } from '../kit/notices.tsx';
import { plural } from '../kit/plural.ts';
import { useServiceMutation } from '../kit/use-service-mutation.ts';
import { usePaymentStory } from './use-payment-story.ts';

/** Sends the webhooks again to all endpoints to which they were sent before, even if an endpoint has received them. */
export function ResendWebhooks({ reference }: { reference: string }): ReactNode {
  const [isOpen, { open, close }] = useDisclosure();
  const [skipped, setSkipped] = useState(0);
  const story = usePaymentStory(reference);
  const deliveries = newestOfEach(story.data?.deliveries ?? []);
  const resending = useServiceMutation({
    mutate: resendAll,
    changes: ['payments', 'deliveries', 'events'],
    onAnswer: (removed) => {
      setSkipped(removed);
      if (removed > 0) return;
      close();
      void notify('Webhooks resent');
    },
  });
  const begin = () => {
    setSkipped(0);
    open();
  };
  if (deliveries.length === 0) return null;
  return (
    <>
      <Button variant="default" onClick={begin}>
        Resend webhooks
      </Button>
      <FormDialog
        title="Resend these webhooks?"
        isOpen={isOpen}
        onClose={close}
        mutation={resending}
        // When deliveries were skipped, the button only closes the dialog: a second request would repeat the others.
        onSubmit={() => (skipped > 0 ? close() : resending.mutate(deliveries.map(({ id }) => id)))}
        submitLabel={skipped > 0 ? 'Done' : 'Resend'}
      >
        <List size="sm">
          {deliveries.map(({ id, event, url }) => (
            <List.Item key={id}>
              {event} to <bdi>{url}</bdi>
            </List.Item>
          ))}
        </List>
        <Text size="sm">
          Each keeps its <code>webhook-id</code>, so a receiver that has already handled it can ignore it.
        </Text>
        {skipped > 0 && (
          <Text size="sm" role="alert">
            {plural(skipped, {
              one: '1 webhook was not sent, because its endpoint was removed.',
              other: `${skipped} webhooks were not sent, because their endpoints were removed.`,
            })}{' '}
            {skipped < deliveries.length && 'All others were resent.'}
          </Text>
        )}
      </FormDialog>
    </>
  );
}

/**
 * Returns how many deliveries were skipped because their endpoint was removed. Each delivery has its own idempotency
 * key, which a retry uses again.
 */
async function resendAll(
  tillhook: TillhookSession,
  ids: readonly string[],
  { idempotencyKey }: { idempotencyKey: string },
): Promise<number> {
  let removed = 0;
  for (const id of ids) {
    try {
      await tillhook.deliveries.resend(id, { idempotencyKey: `${idempotencyKey}-${id}` });
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      removed += 1;
    }
  }
  return removed;
}

/** The list must be ordered from oldest to newest. */
function newestOfEach(deliveries: readonly Delivery[]): Delivery[] {
  return [...new Map(deliveries.map((delivery) => [`${delivery.eventId} ${delivery.webhookId}`, delivery])).values()];
}
