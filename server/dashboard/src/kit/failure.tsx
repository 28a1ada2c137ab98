import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { type ReactNode, useEffect, useState } from 'react';
import { Copy } from './copy.tsx';
import { failureWords } from './failure-words.ts';
import { TriangleAlert } from './icons.tsx';

interface FailureProps {
  error: Error;
  onTryAgain?: (() => void) | undefined;
  /** The consequence of the failure, where it is not obvious: "Nothing was sent." */
  children?: ReactNode;
}

export function Failure({ error, onTryAgain, children }: FailureProps): ReactNode {
  const { title, text, requestId, docUrl, waitSeconds } = failureWords(error);
  const secondsLeft = useSecondsLeft(waitSeconds, error);
  return (
    <Alert role="alert" color="red" variant="light" title={title} icon={<TriangleAlert aria-hidden />}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{text}</Text>
        {children}
        {requestId !== null && (
          <Group gap={6}>
            <Text size="sm">Request</Text>
            <Copy value={requestId} what="request ID" />
          </Group>
        )}
        <Group gap="md">
          {onTryAgain && (
            <Button size="xs" variant="default" onClick={onTryAgain} disabled={secondsLeft > 0}>
              {secondsLeft > 0 ? `Try again in ${shortTime(secondsLeft)}` : 'Try again'}
            </Button>
          )}
          {docUrl !== null && (
            <Anchor size="sm" href={docUrl} target="_blank" rel="noreferrer">
              What this error means
            </Anchor>
          )}
        </Group>
      </Stack>
    </Alert>
  );
}

const shortTime = (seconds: number) => (seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`);

function useSecondsLeft(waitSeconds: number | null, error: Error): number {
  const [left, setLeft] = useState(waitSeconds ?? 0);
  const { start, stop } = useInterval(() => setLeft((seconds) => Math.max(0, seconds - 1)), 1_000);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each error starts a new countdown.
  useEffect(() => {
    setLeft(waitSeconds ?? 0);
    if (waitSeconds !== null) start();
    return stop;
  }, [error, waitSeconds]);
  return left;
}
