import { Box, Center, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface EmptyProps {
  title: string;
  /** The button that adds the first record. */
  action?: ReactNode;
  children: ReactNode;
}

export function Empty({ title, action, children }: EmptyProps): ReactNode {
  return (
    <Center py={48} px="md">
      <Stack align="center" gap="xs" maw={480} ta="center">
        <Title order={2}>{title}</Title>
        <Text component="div" size="sm" c="dimmed">
          {children}
        </Text>
        {action && <Box mt="xs">{action}</Box>}
      </Stack>
    </Center>
  );
}
