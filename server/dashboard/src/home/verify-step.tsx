import { Button, Stack, Text } from '@mantine/core';
import type { WebhookEndpoint } from '@tillhook/sdk/session';
import { type ReactNode, useState } from 'react';
import { useRead } from '../app/use-read.ts';
import { Loaded } from '../kit/loaded.tsx';
import { type Proof, ProofDialog } from '../kit/proof-dialog.tsx';
import { useProof } from '../kit/use-proof.ts';
import { useServiceMutation } from '../kit/use-service-mutation.ts';
import type { KnownSecret } from './create-endpoint-step.tsx';
import { VerifyDelivery } from './verify-delivery.tsx';

interface VerifyStepProps {
  endpoint: WebhookEndpoint | undefined;
  known: KnownSecret | null;
  onKnown: (known: KnownSecret) => void;
  onVerified: () => void;
}

export function VerifyStep({ endpoint, known, onKnown, onVerified }: VerifyStepProps): ReactNode {
  const webhookId = endpoint?.id ?? '';
  const sent = useRead({
    key: ['deliveries', 'first-steps', webhookId],
    read: async (tillhook, options) => {
      const { deliveries } = await tillhook.deliveries.list({ webhookId, limit: 10 }, options);
      const attempted = deliveries.find(({ attemptCount }) => attemptCount > 0);
      return attempted ? tillhook.deliveries.get(attempted.id, options) : null;
    },
    isEnabled: endpoint !== undefined,
  });
  if (!endpoint) return <Text size="sm">Create an endpoint first.</Text>;
  if (known?.endpointId !== endpoint.id) return <NeedsSecret endpoint={endpoint} onKnown={onKnown} />;
  return (
    <Loaded read={sent}>
      {(delivery) =>
        delivery ? (
          <VerifyDelivery key={delivery.id} delivery={delivery} secret={known.secret} onVerified={onVerified} />
        ) : (
          <Text size="sm">Nothing was sent to the endpoint yet. Send a test event or pay a checkout first.</Text>
        )
      }
    </Loaded>
  );
}

function NeedsSecret({
  endpoint,
  onKnown,
}: Pick<VerifyStepProps, 'onKnown'> & { endpoint: WebhookEndpoint }): ReactNode {
  const [isDialogOpen, setIsDialogOpen] = useState(false);
  const prove = useProof();
  const revealing = useServiceMutation({
    mutate: async (tillhook, proof: Proof) =>
      tillhook.webhookEndpoints.revealSecret(endpoint.id, await prove(tillhook, proof)),
    isRepeatable: false,
    changes: ['audit'],
    onAnswer: ({ id, secret }) => onKnown({ endpointId: id, secret }),
  });
  const close = () => {
    revealing.reset();
    setIsDialogOpen(false);
  };
  return (
    <Stack gap="sm" align="flex-start">
      <Text size="sm">
        This step needs the signing secret of <bdi>{endpoint.url}</bdi>. Confirm your password to show it.
      </Text>
      <Button variant="default" onClick={() => setIsDialogOpen(true)}>
        Show secret
      </Button>
      {isDialogOpen && (
        <ProofDialog title="Show signing secret" submitLabel="Show secret" mutation={revealing} onClose={close}>
          Confirm your password to continue. The audit log records that you viewed the secret.
        </ProofDialog>
      )}
    </Stack>
  );
}
