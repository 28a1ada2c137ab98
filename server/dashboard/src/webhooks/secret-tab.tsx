import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { RevealedSecret, WebhookEndpoint } from '@tillhook/sdk/session';
import { type ReactNode, useEffect, useState } from 'react';
import { Copy } from '../kit/copy.tsx';
import { Eye, EyeOff } from '../kit/icons.tsx';
import { useMayCall } from '../kit/may-call.tsx';
import { type Proof, ProofDialog } from '../kit/proof-dialog.tsx';
import { useProof } from '../kit/use-proof.ts';
import { useServiceMutation } from '../kit/use-service-mutation.ts';
import { Rotation } from './rotation.tsx';

export function SecretTab({ endpoint }: { endpoint: WebhookEndpoint }): ReactNode {
  return (
    <Stack gap="md">
      <Secret endpoint={endpoint} />
      <Rotation endpoint={endpoint} />
    </Stack>
  );
}

function Secret({ endpoint }: { endpoint: WebhookEndpoint }): ReactNode {
  const { id, secret: masked, nextSecretAt } = endpoint;
  const [revealed, setRevealed] = useState<RevealedSecret | null>(null);
  const [isDialogOpen, { open, close }] = useDisclosure();
  const mayChange = useMayCall('revealWebhookSecret');
  const prove = useProof();
  const revealing = useServiceMutation({
    mutate: async (tillhook, proof: Proof) => tillhook.webhookEndpoints.revealSecret(id, await prove(tillhook, proof)),
    isRepeatable: false,
    onAnswer: (answer) => {
      setRevealed(answer);
      close();
    },
  });
  // When another secret is staged or becomes the current secret, the revealed secret is out of date.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs whenever the secret or the time of the staged secret changes.
  useEffect(() => setRevealed(null), [masked, nextSecretAt]);
  const stop = () => {
    revealing.reset();
    close();
  };
  return (
    <Paper p="md">
      <Stack gap="sm" align="flex-start">
        <Title order={2}>Signing secret</Title>
        {revealed ? <Copy value={revealed.secret} what="signing secret" /> : <code>{masked}</code>}
        {revealed?.nextSecret && (
          <>
            <Text size="sm" fw={600}>
              Staged secret
            </Text>
            <Copy value={revealed.nextSecret} what="staged secret" />
          </>
        )}
        {!mayChange && (
          <Text size="sm" c="dimmed">
            Only administrators and developers can reveal it.
          </Text>
        )}
        {mayChange && (
          <Group gap="xs">
            {revealed ? (
              <Button
                size="xs"
                variant="default"
                leftSection={<EyeOff size={14} aria-hidden />}
                onClick={() => setRevealed(null)}
              >
                Hide
              </Button>
            ) : (
              <Button size="xs" variant="default" leftSection={<Eye size={14} aria-hidden />} onClick={open}>
                Reveal
              </Button>
            )}
          </Group>
        )}
        {isDialogOpen && (
          <ProofDialog title="Reveal signing secret" submitLabel="Reveal" mutation={revealing} onClose={stop}>
            Anyone with the secret can sign webhooks in our name. Confirm your password to continue. The audit log
            records it.
          </ProofDialog>
        )}
      </Stack>
    </Paper>
  );
}
