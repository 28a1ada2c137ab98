import { Button, Group, Stack, Text } from '@mantine/core';
import type { WebhookEndpoint } from '@tillhook/sdk/session';
import { type ReactNode, useState } from 'react';
import { useMode } from '../app/use-tillhook.ts';
import { Copy } from '../kit/copy.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { Failure } from '../kit/failure.tsx';
import { ButtonLink } from '../kit/links.tsx';
import { type ServiceMutation, useServiceMutation } from '../kit/use-service-mutation.ts';
import { EndpointFields, type TypedEndpoint, useEndpointForm, useEndpointProblems } from './endpoint-fields.tsx';
import { eventsOf, subscribableEvents } from './subscription.ts';
import { TestEvent } from './test-event.tsx';

interface CreateEndpointDialogProps {
  isOpen: boolean;
  onClose: () => void;
}

/**
 * The dialog must stay mounted while it is closed: after a lost response it keeps the typed values, so that a retry
 * sends the same request.
 */
export function CreateEndpointDialog({ isOpen, onClose }: CreateEndpointDialogProps): ReactNode {
  const [created, setCreated] = useState<WebhookEndpoint | null>(null);
  const form = useEndpointForm({ url: '', isEvery: 'yes', events: [...subscribableEvents] });
  const creating = useServiceMutation({
    mutate: (tillhook, typed: TypedEndpoint, { idempotencyKey }) =>
      tillhook.webhookEndpoints.register({ url: typed.url.trim(), events: eventsOf(typed) }, { idempotencyKey }),
    changes: ['webhooks', 'statistics'],
    onAnswer: setCreated,
  });
  const forget = () => {
    if (creating.isLost) return;
    creating.reset();
    form.reset();
    setCreated(null);
  };
  return (
    <Dialog
      opened={isOpen}
      // Once the secret is shown, a click beside the dialog does not close it, so that the user does not lose the
      // secret.
      closeOnClickOutside={created === null}
      onClose={() => !creating.isBusy && onClose()}
      onExitTransitionEnd={forget}
      title={created ? 'Endpoint added' : 'Add an endpoint'}
      size="lg"
    >
      {created ? (
        <Created endpoint={created} onClose={onClose} />
      ) : (
        <EndpointForm form={form} creating={creating} onClose={onClose} />
      )}
    </Dialog>
  );
}

interface EndpointFormProps {
  form: ReturnType<typeof useEndpointForm>;
  creating: ServiceMutation<TypedEndpoint>;
  onClose: () => void;
}

function EndpointForm({ form, creating, onClose }: EndpointFormProps): ReactNode {
  const isShownAtField = useEndpointProblems(form, creating.error);
  return (
    <form method="post" noValidate onSubmit={form.onSubmit(creating.mutate)}>
      <Stack gap="md">
        <EndpointFields form={form} />
        {creating.error && !isShownAtField && (
          <Failure error={creating.error} onTryAgain={creating.again}>
            {creating.isLost && 'It may have been added. If you try again, it is still added only once.'}
          </Failure>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose} disabled={creating.isBusy}>
            Close
          </Button>
          <Button type="submit" loading={creating.isBusy}>
            Add endpoint
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Created({ endpoint, onClose }: { endpoint: WebhookEndpoint; onClose: () => void }): ReactNode {
  const mode = useMode();
  return (
    <Stack gap="md">
      <Text size="sm">
        All webhooks to <b dir="ltr">{endpoint.url}</b> are signed with this secret. Give it to your receiver, for
        example as an environment variable, so that it accepts only our deliveries.
      </Text>
      <Copy value={endpoint.secret} what="signing secret" />
      <Text size="sm" c="dimmed">
        You can reveal it later on the endpoint’s page with your password.
      </Text>
      <TestEvent endpointId={endpoint.id} variant="filled" />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        <ButtonLink
          to="/$mode/webhooks/$id"
          params={{ mode, id: endpoint.id }}
          search={{ tab: 'code' }}
          variant="default"
        >
          Show verification code
        </ButtonLink>
      </Group>
    </Stack>
  );
}
