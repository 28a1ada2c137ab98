import { Text } from '@mantine/core';
import type { WebhookEndpoint } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { FormDialog } from '../kit/form-dialog.tsx';
import { notify } from '../kit/notices.tsx';
import { useServiceMutation } from '../kit/use-service-mutation.ts';
import { EndpointFields, type TypedEndpoint, useEndpointForm, useEndpointProblems } from './endpoint-fields.tsx';
import { eventsOf, subscriptionOf } from './subscription.ts';

interface EditDialogProps {
  endpoint: WebhookEndpoint;
  onClose: () => void;
}

export function EditDialog({ endpoint, onClose }: EditDialogProps): ReactNode {
  const form = useEndpointForm({ url: endpoint.url, ...subscriptionOf(endpoint) });
  const saving = useServiceMutation({
    mutate: (tillhook, typed: TypedEndpoint) =>
      tillhook.webhookEndpoints.update(endpoint.id, { url: typed.url.trim(), events: eventsOf(typed) }),
    changes: ['webhooks'],
    onAnswer: () => {
      void notify('Endpoint updated');
      onClose();
    },
  });
  const isShownAtField = useEndpointProblems(form, saving.error);
  return (
    <FormDialog
      title="Edit endpoint"
      isOpen
      onClose={onClose}
      mutation={saving}
      isErrorShown={isShownAtField}
      onSubmit={form.onSubmit(saving.mutate)}
      submitLabel="Save"
    >
      <EndpointFields form={form} />
      <Text size="sm" c="dimmed">
        Pending deliveries go to the new address. The secret stays the same.
      </Text>
    </FormDialog>
  );
}
