import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { WebhookEndpoint } from '@tillhook/sdk/session';
import { type ReactNode, Suspense } from 'react';
import { lazily } from '../app/load-script.tsx';
import { Failure } from '../kit/failure.tsx';
import { Pause, Pencil, Play, Trash2 } from '../kit/icons.tsx';
import { useMayCall } from '../kit/may-call.tsx';
import { notify } from '../kit/notices.tsx';
import { useServiceMutation } from '../kit/use-service-mutation.ts';
import { ReplayButton } from './replay-button.tsx';

const EditDialog = lazily(async () => (await import('./edit-endpoint-dialog.tsx')).EditDialog);
const RemoveDialog = lazily(async () => (await import('./remove-endpoint-dialog.tsx')).RemoveDialog);

export function EndpointActions({ endpoint }: { endpoint: WebhookEndpoint }): ReactNode {
  const [isEditing, editing] = useDisclosure();
  const [isRemoving, removing] = useDisclosure();
  if (!useMayCall('updateWebhookEndpoint')) return null;
  return (
    <>
      <ReplayButton chosen={endpoint.id} />
      <PauseButton endpoint={endpoint} />
      <Button size="xs" variant="default" leftSection={<Pencil size={14} aria-hidden />} onClick={editing.open}>
        Edit
      </Button>
      <Button size="xs" variant="default" leftSection={<Trash2 size={14} aria-hidden />} onClick={removing.open}>
        Remove
      </Button>
      <Suspense>
        {isEditing && <EditDialog endpoint={endpoint} onClose={editing.close} />}
        {isRemoving && <RemoveDialog endpoint={endpoint} onClose={removing.close} />}
      </Suspense>
    </>
  );
}

function PauseButton({ endpoint: { id, isActive } }: { endpoint: WebhookEndpoint }): ReactNode {
  const changing = useServiceMutation({
    mutate: (tillhook, toActive: boolean) => tillhook.webhookEndpoints.update(id, { isActive: toActive }),
    changes: ['webhooks', 'statistics'],
    onAnswer: (endpoint) => void notify(endpoint.isActive ? 'Endpoint resumed' : 'Endpoint paused'),
  });
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={isActive ? <Pause size={14} aria-hidden /> : <Play size={14} aria-hidden />}
        loading={changing.isBusy}
        onClick={() => changing.mutate(!isActive)}
      >
        {isActive ? 'Pause' : 'Resume'}
      </Button>
      {changing.error && <Failure error={changing.error} onTryAgain={changing.again} />}
    </>
  );
}
