import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useRead } from '../app/use-read.ts';
import { CodeBlock } from '../kit/code-block.tsx';
import { Loaded } from '../kit/loaded.tsx';

interface DeliveryRequestProps {
  id: string;
  /** The end of the sentence "Your program computes the first of these headers …". */
  signedBy: 'in the last step' | 'with the code below';
}

export function DeliveryRequest({ id, signedBy }: DeliveryRequestProps): ReactNode {
  const delivery = useRead({
    key: ['deliveries', id],
    read: (tillhook, options) => tillhook.deliveries.get(id, options),
  });
  return (
    <Loaded read={delivery}>
      {({ request: { headers, body } }) => (
        <Stack gap="xs">
          <Text size="sm" fw={600}>
            What was sent
          </Text>
          <CodeBlock text={headerLines(headers)} what="headers" />
          <CodeBlock text={body} what="body" />
          <Text size="sm" c="dimmed">
            The headers webhook-signature and X-Service-Signature were sent too. Your program computes the first of them{' '}
            {signedBy}.
          </Text>
        </Stack>
      )}
    </Loaded>
  );
}

/** Without the signatures, which the reader computes. */
function headerLines(headers: Record<string, string>): string {
  return Object.entries(headers)
    .filter(([name]) => !/signature$/i.test(name))
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}
