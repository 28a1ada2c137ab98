import { Anchor, Container, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { visitor } from '../app/api.ts';
import { basePath } from '../app/base.ts';
import { liveEveryMs } from '../app/live-pace.ts';
import { reloadForScripts } from '../app/load-script.tsx';
import { isTransient } from '../app/query-client.ts';
import { Failure } from '../kit/failure.tsx';
import { BareBar } from './brand.tsx';

/** Outside the shell, the page needs its own `main` element. */
export function NotFoundAlone(): ReactNode {
  return (
    <>
      <BareBar />
      <main>
        <NotFound />
      </main>
    </>
  );
}

export function FailureAlone({ error }: { error: unknown }): ReactNode {
  return (
    <>
      <BareBar />
      <main>
        <RouteFailure error={error} />
      </main>
    </>
  );
}

export function NotFound(): ReactNode {
  return (
    <Container size="xs" py={64} ta="center">
      <title>Page not found · Tillhook</title>
      <Title order={1} mb="xs">
        Page not found
      </Title>
      <Text>
        The address is wrong, or the page no longer exists. <Anchor href={`${basePath}/dashboard`}>Go to Home</Anchor>,
        or <Anchor href={`${basePath}/docs`}>read the documentation</Anchor>.
      </Text>
    </Container>
  );
}

/** When the service was unreachable, the page is shown as soon as the service answers. */
export function RouteFailure({ error: thrown }: { error: unknown }): ReactNode {
  const router = useRouter();
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const tryAgain = () => {
    if (!reloadForScripts()) void router.invalidate();
  };
  const willRetry = isTransient(error);
  useServiceAnswers(tryAgain, { isEnabled: willRetry });
  return (
    <Container size="sm" py="xl">
      <title>Failed · Tillhook</title>
      <Title order={1} mb="md">
        This page could not be loaded
      </Title>
      <Failure error={error} onTryAgain={tryAgain}>
        {willRetry && <Text size="sm">The page appears automatically once the service responds again.</Text>}
      </Failure>
    </Container>
  );
}

/**
 * Calls the service every few seconds while the page is visible.
 * See docs/decisions/dashboard.md, "A page that the absent service failed asks again by itself".
 */
export function useServiceAnswers(onAnswer: () => void, { isEnabled }: { isEnabled: boolean }): void {
  const { data: isThere, dataUpdatedAt } = useQuery({
    queryKey: ['does the service answer'],
    queryFn: ({ signal }) => answers(signal),
    // The service has just failed to answer, so the first call waits for one interval.
    initialData: false,
    staleTime: liveEveryMs,
    gcTime: 0,
    refetchInterval: liveEveryMs,
    enabled: isEnabled,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for each answer.
  useEffect(() => {
    if (isThere) onAnswer();
  }, [isThere, dataUpdatedAt]);
}

/** Whether the service answers. A refusal is an answer too, for example because the session has ended. */
async function answers(signal: AbortSignal): Promise<boolean> {
  try {
    await visitor.session.get({ signal });
    return true;
  } catch (error) {
    return error instanceof Error && !isTransient(error);
  }
}
