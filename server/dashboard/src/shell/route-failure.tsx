import { Container, Text, Title } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { reloadForScripts } from '../app/load-script.tsx';
import { isTransient } from '../app/query-client.ts';
import { useServiceAnswers } from '../app/use-service-answers.ts';
import { Failure } from '../kit/failure.tsx';

/**
 * Shown when a page failed. When the service could not be reached, the page is shown as soon as the service answers.
 */
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
        This page could not be shown
      </Title>
      <Failure error={error} onTryAgain={tryAgain}>
        {willRetry && <Text size="sm">The page comes by itself once the service answers again.</Text>}
      </Failure>
    </Container>
  );
}
