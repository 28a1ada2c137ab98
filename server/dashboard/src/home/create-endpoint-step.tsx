import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import type { WebhookEndpoint } from '@tillhook/sdk/session';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useReceiverCommand } from '../app/use-tillhook.ts';
import { CodeBlock } from '../kit/code-block.tsx';
import { Failure } from '../kit/failure.tsx';
import { fieldProblems } from '../kit/field-problems.ts';
import { useServiceMutation } from '../kit/use-service-mutation.ts';

interface CreateEndpointStepProps {
  endpoint: WebhookEndpoint | undefined;
  known: KnownSecret | null;
  onKnown: (known: KnownSecret) => void;
}

/** The URL of the receiver that `npm run receiver` starts without settings. */
const receiverAddress = 'http://localhost:4000/webhooks';

/** The first steps need no receiver at the URL, because the dashboard shows the requests and the signatures. */
export function CreateEndpointStep({ endpoint, known, onKnown }: CreateEndpointStepProps): ReactNode {
  // This component does not use `useForm`, because a new account would then wait for the script of `useForm`.
  const [url, setUrl] = useState('');
  const receiverCommand = useReceiverCommand();
  const creating = useServiceMutation({
    mutate: (tillhook, url: string, options) => tillhook.webhookEndpoints.register({ url }, options),
    changes: ['webhooks', 'statistics'],
    onAnswer: ({ id, secret }) => onKnown({ endpointId: id, secret }),
  });
  if (known) {
    const receiver = endpoint && secretsAddressOf(endpoint.url);
    return (
      <Stack gap="xs">
        <Text size="sm">
          Every event is now sent there, signed with this secret. Store it where your program can read it.
        </Text>
        <CodeBlock text={known.secret} what="signing secret" />
        {receiver && (
          <>
            <Text size="sm">
              If this is the receiver of this repository, run this command to give it the secret, so that it can verify
              webhooks:
            </Text>
            <CodeBlock text={secretCommand(receiver, known)} what="command that sends the secret" />
          </>
        )}
      </Stack>
    );
  }
  if (endpoint) {
    return (
      <Text size="sm">
        Your endpoint: <bdi>{endpoint.url}</bdi>
      </Text>
    );
  }
  const problem = fieldProblems(creating.error).url;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    creating.mutate(url.trim());
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        <Text size="sm">
          An endpoint is the address where your program receives events. Nothing has to run there yet, because the next
          steps show what was sent. To see webhooks arrive, run the receiver of this repository:
        </Text>
        <CodeBlock text={receiverCommand} what="command" />
        <Button size="compact-sm" variant="default" w="fit-content" onClick={() => setUrl(receiverAddress)}>
          Use its address
        </Button>
        <Group gap="xs" align="flex-start">
          <TextInput
            label="Address"
            placeholder={receiverAddress}
            required
            withAsterisk={false}
            maxLength={2048}
            inputMode="url"
            flex="1 1 14rem"
            maw={400}
            value={url}
            onChange={(event) => setUrl(event.currentTarget.value)}
            error={problem}
          />
          <Button type="submit" loading={creating.isBusy} mt={22}>
            Create endpoint
          </Button>
        </Group>
        {creating.error && problem === undefined && <Failure error={creating.error} onTryAgain={creating.again} />}
      </Stack>
    </form>
  );
}

/** The URL at which the receiver of this repository accepts a secret; null when the endpoint is on another machine. */
function secretsAddressOf(url: string): string | null {
  const { hostname } = new URL(url);
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname) ? new URL('/secrets', url).href : null;
}

/** Secrets contain only characters that need no quoting in a shell. */
function secretCommand(receiver: string, { endpointId, secret }: KnownSecret): string {
  return `curl -s ${receiver} -d '${JSON.stringify({ id: endpointId, secret })}'`;
}

/** The secret of an endpoint that was just created. Later the user has to enter the password to see the secret. */
export interface KnownSecret {
  endpointId: string;
  secret: string;
}
