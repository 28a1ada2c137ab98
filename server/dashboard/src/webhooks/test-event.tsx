import { Button, Stack, Text } from '@mantine/core';
import type { TestEventResult } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { useMode } from '../app/use-tillhook.ts';
import { adviceOn } from '../deliveries/failure-advice.ts';
import { Callout } from '../kit/callout.tsx';
import { CodeBlock } from '../kit/code-block.tsx';
import { Failure } from '../kit/failure.tsx';
import { Send } from '../kit/icons.tsx';
import { AnchorLink } from '../kit/links.tsx';
import { inMs } from '../kit/milliseconds.ts';
import { useTestEvent } from './use-test-event.ts';

interface TestEventProps {
  endpointId: string;
  /** `filled` in a dialog, where the button is the main action. */
  variant?: 'filled' | 'default';
}

export function TestEvent({ endpointId, variant = 'default' }: TestEventProps): ReactNode {
  const { sending, result } = useTestEvent();
  return (
    <Stack gap="sm" w="100%">
      <Button
        w="fit-content"
        variant={variant}
        leftSection={<Send size={16} aria-hidden />}
        loading={sending.isBusy}
        onClick={() => sending.mutate(endpointId)}
      >
        {result ? 'Send another test event' : 'Send a test event'}
      </Button>
      {sending.error && (
        <Failure error={sending.error}>
          {sending.isLost && 'The test event may have been sent. Check the deliveries of this endpoint.'}
        </Failure>
      )}
      {result && !sending.isBusy && !sending.error && <Result key={result.deliveryId} result={result} />}
    </Stack>
  );
}

function Result({ result }: { result: TestEventResult['data'] }): ReactNode {
  const mode = useMode();
  const { delivered, statusCode, durationMs, responseBody, deliveryId } = result;
  const { what, todo } = adviceOn(result);
  const answer = statusCode === null ? 'No response' : `Returned ${statusCode}`;
  return (
    <Callout isAnswer tone={delivered ? 'good' : 'bad'} title={`${answer} after ${inMs(durationMs)}`}>
      <Text size="sm">{what}</Text>
      {todo !== null && (
        <Text size="sm">
          <b>What to do: </b>
          {todo}
        </Text>
      )}
      {responseBody !== null && responseBody !== '' && (
        <Stack gap={4} w="100%">
          <Text size="sm" fw={600}>
            Response
          </Text>
          <CodeBlock text={responseBody} what="response of the receiver" />
        </Stack>
      )}
      <AnchorLink to="/$mode/deliveries/$id" params={{ mode, id: deliveryId }}>
        View request
      </AnchorLink>
    </Callout>
  );
}
