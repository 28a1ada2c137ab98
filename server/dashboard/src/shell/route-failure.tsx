import { Container, Title } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { reloadForScripts } from '../app/load-script.ts';
import { Failure } from '../kit/failure.tsx';

/** In place of a page that could not be shown. */
export function RouteFailure({ error }: { error: unknown }): ReactNode {
  const router = useRouter();
  const tryAgain = () => {
    if (!reloadForScripts()) void router.invalidate();
  };
  return (
    <Container size="sm" py="xl">
      <title>Failed · Tillhook</title>
      <Title order={1} mb="md">
        This page could not be shown
      </Title>
      <Failure error={error instanceof Error ? error : new Error(String(error))} onTryAgain={tryAgain} />
    </Container>
  );
}
