import { Accordion, Group, Stack, Text, Title } from '@mantine/core';
import type { DeliveryAttempt } from '@tillhook/sdk/session';
import { type ReactNode, useState } from 'react';
import { CodeBlock } from '../kit/code-block.tsx';
import { JsonView, prettyJson } from '../kit/json-view.tsx';
import { inMs } from '../kit/milliseconds.ts';
import { ExactMoment } from '../kit/moment.tsx';
import { StatusBadge } from '../kit/status-badge.tsx';
import { attemptError } from './attempt-errors.ts';
import { adviceOn } from './failure-advice.ts';
import { Headers, RequestOfAttempt } from './request-of-attempt.tsx';

interface AttemptsProps {
  attempts: readonly DeliveryAttempt[];
  /** The current URL of the endpoint. */
  address: string;
  /** Whether the page already explains the result of the latest attempt above the list. */
  isLatestExplained: boolean;
  /** The body of the request, which is the same for all attempts. */
  body: string;
}

/** The latest attempt is open until the user opens or closes an attempt. */
export function Attempts({ attempts, address, isLatestExplained, body }: AttemptsProps): ReactNode {
  const [opened, setOpened] = useState<string[] | null>(null);
  const latest = attempts.at(-1);
  if (!latest) return null;
  return (
    <Stack gap="xs">
      <Title order={2}>Attempts</Title>
      <Accordion
        multiple
        variant="contained"
        order={3}
        value={opened ?? [String(latest.attempt)]}
        onChange={setOpened}
        styles={{ item: { background: 'var(--panel)', borderColor: 'var(--line)' } }}
      >
        {attempts.toReversed().map((attempt) => (
          <Accordion.Item key={attempt.attempt} value={String(attempt.attempt)}>
            <Accordion.Control>
              <Heading attempt={attempt} />
            </Accordion.Control>
            <Accordion.Panel>
              <EarlierAddress attempt={attempt} address={address} />
              <Stack gap="sm">
                <Answer attempt={attempt} isExplained={isLatestExplained && attempt === latest} />
                <RequestOfAttempt attempt={attempt} address={address} body={body} />
              </Stack>
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
    </Stack>
  );
}

function Heading({ attempt }: { attempt: DeliveryAttempt }): ReactNode {
  const { statusCode, error, durationMs, startedAt } = attempt;
  const isTaken = error === null && statusCode !== null && statusCode >= 200 && statusCode < 300;
  return (
    <Group gap="sm">
      <Text size="sm" fw={600}>
        Attempt {attempt.attempt}
      </Text>
      <StatusBadge status={isTaken ? 'delivered' : 'failed'}>
        {error === null ? (statusCode ?? 'No response') : attemptError(error)}
      </StatusBadge>
      <Text size="sm" c="dimmed">
        {inMs(durationMs)}
      </Text>
      <Text size="sm" c="dimmed">
        <ExactMoment at={startedAt} />
      </Text>
    </Group>
  );
}

/** Shows the URL of an attempt, if the endpoint has a different URL now. */
function EarlierAddress({ attempt: { url }, address }: { attempt: DeliveryAttempt; address: string }): ReactNode {
  if (url === null || url === address) return null;
  return (
    <Text size="sm" mb="sm">
      Sent to <bdi>{url}</bdi>, the endpoint’s address at that time.
    </Text>
  );
}

function Answer({ attempt, isExplained }: { attempt: DeliveryAttempt; isExplained: boolean }): ReactNode {
  const { responseHeaders, responseBody, responseTruncated } = attempt;
  const { what, todo } = adviceOn(attempt);
  const headers = Object.entries(responseHeaders ?? {});
  const isBare = isExplained && headers.length === 0 && responseBody === null;
  return (
    <>
      {!isExplained && <Text size="sm">{what}</Text>}
      {!isExplained && todo !== null && (
        <Text size="sm">
          <b>What to do: </b>
          {todo}
        </Text>
      )}
      {isBare && <Text size="sm">No response was received.</Text>}
      {headers.length > 0 && (
        <Stack gap={6}>
          <Text size="sm" fw={600}>
            Response headers
          </Text>
          <Headers headers={headers} what={`response headers of attempt ${attempt.attempt}`} />
        </Stack>
      )}
      {responseBody !== null && (
        <Body body={responseBody} isCut={responseTruncated} what={`response body of attempt ${attempt.attempt}`} />
      )}
    </>
  );
}

function Body({ body, isCut, what }: { body: string; isCut: boolean; what: string }): ReactNode {
  const title = isCut ? 'Response body (truncated)' : 'Response body';
  if (body === '') {
    return (
      <Text size="sm" c="dimmed">
        The response had no body.
      </Text>
    );
  }
  if (prettyJson(body) !== null) return <JsonView title={title} what={what} raw={body} />;
  return (
    <Stack gap={6}>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <CodeBlock text={body} what={what} />
    </Stack>
  );
}
