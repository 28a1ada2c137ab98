import { Button, Group, Stack, Text } from '@mantine/core';
import type { TestEventResult, WebhookEndpoint } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { useMode } from '../app/use-tillhook.ts';
import { attemptError } from '../deliveries/attempt-errors.ts';
import { Callout } from '../kit/callout.tsx';
import { Failure } from '../kit/failure.tsx';
import { AnchorLink } from '../kit/links.tsx';
import { inMs } from '../kit/milliseconds.ts';
import { useTestEvent } from '../webhooks/use-test-event.ts';
import { DeliveryRequest } from './delivery-request.tsx';

export function TestEventStep({ endpoint }: { endpoint: WebhookEndpoint | undefined }): ReactNode {
  const { sending, result } = useTestEvent();
  if (!endpoint) return <Text size="sm">Create an endpoint first.</Text>;
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <Button loading={sending.isBusy} onClick={() => sending.mutate(endpoint.id)}>
          Send a test event
        </Button>
        <Text size="sm" c="dimmed">
          To <bdi>{endpoint.url}</bdi>
        </Text>
      </Group>
      {sending.error && (
        <Failure error={sending.error}>{sending.isLost && 'It may have been sent. Check the deliveries.'}</Failure>
      )}
      {result && !sending.isBusy && <Result {...result} />}
    </Stack>
  );
}

function Result({ delivered, statusCode, durationMs, error, deliveryId }: TestEventResult['data']): ReactNode {
  const mode = useMode();
  const noAnswer = error === null ? 'No response' : attemptError(error);
  const answer = statusCode === null ? noAnswer : `Returned ${statusCode}`;
  return (
    <>
      <Callout isAnswer tone={delivered ? 'good' : 'warn'} title={`${answer} after ${inMs(durationMs)}`}>
        <Text size="sm">
          {delivered
            ? 'Your receiver accepted it.'
            : 'It was signed and sent, but your receiver did not accept it. You can still continue with the next steps.'}{' '}
          <AnchorLink to="/$mode/deliveries/$id" params={{ mode, id: deliveryId }}>
            {delivered ? 'View delivery' : 'See why and how to fix it'}
          </AnchorLink>
        </Text>
      </Callout>
      <DeliveryRequest id={deliveryId} signedBy="in the last step" />
    </>
  );
}
