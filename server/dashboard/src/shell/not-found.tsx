import { Anchor, Container, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { basePath } from '../app/base.ts';

/** Shown for an address that does not exist. */
export function NotFound(): ReactNode {
  return (
    <Container size="xs" py={64} ta="center">
      <title>No such page · Tillhook</title>
      <Title order={1} mb="xs">
        There is no such page
      </Title>
      <Text>
        The address is wrong, or the page is gone. <Anchor href={`${basePath}/dashboard`}>Go to Home</Anchor>, or{' '}
        <Anchor href={`${basePath}/docs`}>read the documentation</Anchor>.
      </Text>
    </Container>
  );
}
