import { Checkbox, Text } from '@mantine/core';
import type { WebhookEndpoint } from '@tillhook/sdk/session';
import { type ReactNode, useState } from 'react';
import { FormDialog } from '../kit/form-dialog.tsx';
import { notify } from '../kit/notices.tsx';
import { useServiceMutation } from '../kit/use-service-mutation.ts';

interface CompleteDialogProps {
  endpoint: WebhookEndpoint;
  onClose: () => void;
}

export function CompleteDialog({ endpoint, onClose }: CompleteDialogProps): ReactNode {
  const [revokeOld, setRevokeOld] = useState(false);
  const completing = useServiceMutation({
    mutate: (tillhook, body: { revokeOld: boolean }, { idempotencyKey }) =>
      tillhook.webhookEndpoints.completeSecretRotation(endpoint.id, body, { idempotencyKey }),
    changes: ['webhooks'],
    onAnswer: () => {
      void notify('The new secret is active');
      onClose();
    },
  });
  return (
    <FormDialog
      title="Complete rotation"
      isOpen
      onClose={onClose}
      mutation={completing}
      onSubmit={() => completing.mutate({ revokeOld })}
      submitLabel="Complete rotation"
    >
      <Text size="sm">
        The staged secret becomes the endpoint’s secret now, for both headers. First check that your receiver has it.
        The old one also signs webhook-signature for another 24 hours.
        {endpoint.oldSecretEndsAt !== undefined && ' The secret before it, which still signs, then stops signing.'}
      </Text>
      <Checkbox
        label="The old secret has leaked. Stop signing with it at once"
        checked={revokeOld}
        onChange={({ currentTarget }) => setRevokeOld(currentTarget.checked)}
      />
    </FormDialog>
  );
}
