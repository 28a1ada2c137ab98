import { Center, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { BareBar } from '../shell/brand.tsx';

interface BarePageProps {
  title: string;
  /** Instead of the title, which the tab of the browser shows. */
  heading?: ReactNode;
  hasFailed?: boolean;
  children: ReactNode;
}

/** A page for people who are not signed in. */
export function BarePage({ title, heading = title, hasFailed = false, children }: BarePageProps): ReactNode {
  return (
    <>
      <BareBar />
      <Center mih="calc(100vh - var(--bar-height))" p="md" component="main">
        <Stack w="100%" maw={380}>
          <title>{`${hasFailed ? 'Error: ' : ''}${title} · Tillhook`}</title>
          <Title order={1}>{heading}</Title>
          {children}
        </Stack>
      </Center>
    </>
  );
}

interface UselessLinkPageProps {
  title: string;
  reason: ReactNode;
  /** The link to the page on which the person can go on. */
  wayOut: ReactNode;
}

/** A page that a link in a mail opens, when the link does not work. */
export function UselessLinkPage({ title, reason, wayOut }: UselessLinkPageProps): ReactNode {
  return (
    <BarePage title={title} hasFailed>
      <Text size="sm" role="alert">
        {reason}
      </Text>
      {wayOut}
    </BarePage>
  );
}
