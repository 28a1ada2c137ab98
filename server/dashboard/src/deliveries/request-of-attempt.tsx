import { Button, CopyButton, Group, Stack, Text } from '@mantine/core';
import type { DeliveryAttempt } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { CodeBlock } from '../kit/code-block.tsx';
import { Copy } from '../kit/icons.tsx';
import { useMayCall } from '../kit/may-call.tsx';
import { curlCommand } from './curl-command.ts';

interface RequestOfAttemptProps {
  attempt: DeliveryAttempt;
  /** The current URL of the endpoint. */
  address: string;
  body: string;
}

export function RequestOfAttempt({ attempt, address, body }: RequestOfAttemptProps): ReactNode {
  const headers = Object.entries(attempt.requestHeaders);
  const command = curlCommand({ url: attempt.url ?? address, headers, body });
  return (
    <Stack gap={6}>
      <Group justify="space-between">
        <Text size="sm" fw={600}>
          Request headers
        </Text>
        <CopyButton value={command}>
          {({ copied, copy }) => (
            <Button size="compact-xs" variant="default" leftSection={<Copy size={12} aria-hidden />} onClick={copy}>
              {copied ? 'Copied' : 'Copy as curl'}
            </Button>
          )}
        </CopyButton>
      </Group>
      <Headers headers={headers} what={`request headers of attempt ${attempt.attempt}`} />
      <Text size="xs" c="dimmed">
        <SignatureWords attempt={attempt} />
      </Text>
    </Stack>
  );
}

function SignatureWords({ attempt: { requestHeaders } }: { attempt: DeliveryAttempt }): ReactNode {
  // The roles that may see the secret also see signatures.
  const maySee = useMayCall('revealWebhookSecret');
  if (!maySee) return 'Only administrators and developers can see signatures.';
  if ('X-Service-Signature' in requestHeaders)
    return 'A receiver that checks the time refuses this signature 5 minutes after the attempt. To try again later, resend the delivery.';
  return 'The signatures of this attempt cannot be shown, because the secret was changed or staged after it, or shortly before.';
}

export function Headers({ headers, what }: { headers: readonly [string, string][]; what: string }): ReactNode {
  return <CodeBlock text={headers.map(([name, value]) => `${name}: ${value}`).join('\n')} what={what} />;
}
