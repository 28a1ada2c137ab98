import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { WebhookEndpoint } from '@tillhook/sdk/session';
import { type ReactNode, Suspense } from 'react';
import { lazily } from '../app/load-script.tsx';
import { Callout } from '../kit/callout.tsx';
import { KeyRound } from '../kit/icons.tsx';
import { useMayChange } from '../kit/may-change.tsx';
import { ExactMoment } from '../kit/moment.tsx';
import { Countdown } from './countdown.tsx';
import { OldSecret } from './old-secret.tsx';
import { SignatureHeaders } from './signature-headers.tsx';

const StageDialog = lazily(async () => (await import('./stage-dialog.tsx')).StageDialog);
const CompleteDialog = lazily(async () => (await import('./complete-dialog.tsx')).CompleteDialog);

/** Rotates the secret without losing a delivery: both secrets sign for some time. */
export function Rotation({ endpoint }: { endpoint: WebhookEndpoint }): ReactNode {
  const { nextSecretAt, oldSecretEndsAt } = endpoint;
  const [isStaging, staging] = useDisclosure();
  const [isCompleting, completing] = useDisclosure();
  const mayChange = useMayChange();
  return (
    <Paper p="md">
      <Stack gap="sm">
        <Title order={2}>Rotation</Title>
        {nextSecretAt === undefined ? (
          <Text size="sm">
            Change the secret when it may have leaked, when a person who knew it leaves, or once a year. The next secret
            is staged first: both sign for a while, so that no delivery is lost.
          </Text>
        ) : (
          <Callout
            tone="warn"
            title={
              <>
                A next secret is staged. It takes over in <Countdown to={nextSecretAt} />.
              </>
            }
          >
            <Text size="sm">
              That is on <ExactMoment at={nextSecretAt} />, or as soon as you complete the rotation. Until then give
              your receiver both secrets.
            </Text>
          </Callout>
        )}
        <OldSecret endpoint={endpoint} />
        <SignatureHeaders isStaged={nextSecretAt !== undefined} hasOld={oldSecretEndsAt !== undefined} />
        {mayChange && (
          <Group gap="xs">
            {nextSecretAt !== undefined && (
              <Button size="xs" onClick={completing.open}>
                Complete the rotation
              </Button>
            )}
            <Button size="xs" variant="default" leftSection={<KeyRound size={14} aria-hidden />} onClick={staging.open}>
              {nextSecretAt === undefined ? 'Stage a next secret' : 'Stage another one instead'}
            </Button>
          </Group>
        )}
        <Suspense>
          {isStaging && <StageDialog endpoint={endpoint} onClose={staging.close} />}
          {isCompleting && <CompleteDialog endpoint={endpoint} onClose={completing.close} />}
        </Suspense>
      </Stack>
    </Paper>
  );
}
