import { Text } from '@mantine/core';
import type { WebhookEndpoint } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { Callout } from '../kit/callout.tsx';
import { ChangeButton } from '../kit/change-button.tsx';
import { useMayChange } from '../kit/may-change.tsx';
import { ExactMoment } from '../kit/moment.tsx';
import { notify } from '../kit/notices.tsx';

/**
 * Shows the old secret while it still signs, with the button that ends it.
 * See docs/decisions/dashboard.md, "The old secret is ended early only while none is staged".
 */
export function OldSecret({ endpoint }: { endpoint: WebhookEndpoint }): ReactNode {
  const { nextSecretAt, oldSecretEndsAt } = endpoint;
  const mayChange = useMayChange();
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
          ? `That gives a receiver which still has only the old one time to get the new one.${mayChange ? ' End the old one now if it has leaked.' : ''}`
          : 'If the next secret takes over earlier, the old one ends at that moment: only the secret that was replaced last goes on signing.'}
      </Text>
      {/* Choice: no button while a next secret is staged, because the operation that ends the old one also completes the rotation. */}
      {mayChange && nextSecretAt === undefined && <EndOldSecret id={endpoint.id} />}
    </Callout>
  );
}

function EndOldSecret({ id }: { id: string }): ReactNode {
  return (
    <ChangeButton
      label="End the old secret now"
      size="xs"
      title="End the old secret"
      submitLabel="End it"
      isDangerous
      change={({ webhookEndpoints }, options) =>
        webhookEndpoints.completeSecretRotation(id, { revokeOld: true }, options)
      }
      changes={['webhooks']}
      onDone={() => void notify('The old secret signs nothing any more')}
    >
      It signs nothing any more, at once and for good. A receiver that knows only the old secret then refuses
      everything: check first that yours has the new one.
    </ChangeButton>
  );
}
