import { Center, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { BareBar } from '../shell/brand.tsx';

interface BarePageProps {
  title: string;
  hasFailed?: boolean;
  children: ReactNode;
}

/** A page for people who are not signed in. */
export function BarePage({ title, hasFailed = false, children }: BarePageProps): ReactNode {
  return (
    <>
      <BareBar />
      <Center mih="calc(100vh - var(--bar-height))" p="md" component="main">
        <Stack w="100%" maw={380}>
          <title>{`${hasFailed ? 'Error: ' : ''}${title} · Tillhook`}</title>
          <Title order={1}>{title}</Title>
          {children}
        </Stack>
      </Center>
    </>
  );
}
