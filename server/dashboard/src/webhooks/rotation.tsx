import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useDisclosure, useInterval } from '@mantine/hooks';
import type { WebhookEndpoint } from '@tillhook/sdk/session';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { lazily } from '../app/load-script.tsx';
import { Callout } from '../kit/callout.tsx';
import { ChangeButton } from '../kit/change-button.tsx';
import { KeyRound } from '../kit/icons.tsx';
import { useMayCall } from '../kit/may-call.tsx';
import { ExactMoment } from '../kit/moment.tsx';
import { notify } from '../kit/notices.tsx';
import { SignatureHeaders } from './signature-headers.tsx';

const StageDialog = lazily(async () => (await import('./stage-dialog.tsx')).StageDialog);
const CompleteDialog = lazily(async () => (await import('./complete-dialog.tsx')).CompleteDialog);

/** For some time the service signs each delivery with both secrets, so that a rotation loses no delivery. */
export function Rotation({ endpoint }: { endpoint: WebhookEndpoint }): ReactNode {
  const { nextSecretAt, oldSecretEndsAt } = endpoint;
  const [isStaging, staging] = useDisclosure();
  const [isCompleting, completing] = useDisclosure();
  const mayChange = useMayCall('rotateWebhookSecret');
  return (
    <Paper p="md">
      <Stack gap="sm">
        <Title order={2}>Rotation</Title>
        {nextSecretAt === undefined ? (
          <Text size="sm">
            Rotate the secret when it may have leaked, when someone who knew it leaves, or once a year. The next secret
            is staged first. Both sign for a while, so that no delivery is lost.
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
              On <ExactMoment at={nextSecretAt} />, or as soon as you complete the rotation. Until then, give your
              receiver both secrets.
            </Text>
          </Callout>
        )}
        <OldSecret endpoint={endpoint} />
        <SignatureHeaders isStaged={nextSecretAt !== undefined} hasOld={oldSecretEndsAt !== undefined} />
        {mayChange && (
          <Group gap="xs">
            {nextSecretAt !== undefined && (
              <Button size="xs" onClick={completing.open}>
                Complete rotation
              </Button>
            )}
            <Button size="xs" variant="default" leftSection={<KeyRound size={14} aria-hidden />} onClick={staging.open}>
              {nextSecretAt === undefined ? 'Stage next secret' : 'Replace staged secret'}
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

/** Screen readers do not announce the updates, which come every second. */
export function Countdown({ to }: { to: string }): ReactNode {
  const [now, setNow] = useState(() => Date.now());
  const { start, stop } = useInterval(() => setNow(Date.now()), 1_000);
  // biome-ignore lint/correctness/useExhaustiveDependencies: updates the time while it is shown.
  useEffect(() => {
    start();
    return stop;
  }, []);
  return (
    <time dateTime={to} role="timer" aria-live="off">
      {durationWords(Math.max(0, Date.parse(to) - now))}
    </time>
  );
}

/** Formats a duration as `1 d 02:03:04`, without leading units that are zero. */
function durationWords(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  const two = (value: number) => String(value).padStart(2, '0');
  const clock = [Math.floor(seconds / 3_600) % 24, Math.floor(seconds / 60) % 60, seconds % 60].map(two).join(':');
  const days = Math.floor(seconds / 86_400);
  return days > 0 ? `${days} d ${clock}` : clock;
}

/**
 * Shown while the service still signs with the old secret.
 * See docs/decisions/dashboard.md, "The old secret is ended early only while none is staged".
 */
export function OldSecret({ endpoint }: { endpoint: WebhookEndpoint }): ReactNode {
  const { nextSecretAt, oldSecretEndsAt } = endpoint;
  const mayChange = useMayCall('rotateWebhookSecret');
  if (oldSecretEndsAt === undefined) return null;
  const title = (
    <>
      The old secret still signs webhook-signature, until <ExactMoment at={oldSecretEndsAt} />.
    </>
  );
  return (
    <Callout tone="waiting" title={title}>
      <Text size="sm">
        {nextSecretAt === undefined
          ? `This gives you time to update a receiver that has only the old one.${mayChange ? ' End the old one now if it has leaked.' : ''}`
          : 'If the next secret takes over earlier, the old one ends then: only the last replaced secret continues to sign.'}
      </Text>
      {/* Choice: no button while a next secret is staged, because ending the old secret completes the rotation. */}
      {mayChange && nextSecretAt === undefined && <EndOldSecret id={endpoint.id} />}
    </Callout>
  );
}

function EndOldSecret({ id }: { id: string }): ReactNode {
  return (
    <ChangeButton
      label="End old secret now"
      size="xs"
      title="End old secret?"
      submitLabel="End old secret"
      isDangerous
      change={({ webhookEndpoints }, options) =>
        webhookEndpoints.completeSecretRotation(id, { revokeOld: true }, options)
      }
      changes={['webhooks']}
      onDone={() => void notify('Old secret ended')}
    >
      It stops signing at once. This cannot be undone. A receiver that has only the old secret then refuses everything,
      so first check that yours has the new one.
    </ChangeButton>
  );
}
