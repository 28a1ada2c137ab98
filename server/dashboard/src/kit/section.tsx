import { Group, Paper, Stack, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';

interface SectionProps {
  title: string;
  /** On the right of the title. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A part of a page, with a title of its own. */
export function Section({ title, actions, children }: SectionProps): ReactNode {
  const id = useId();
  return (
    <Paper component="section" p="md" aria-labelledby={id}>
      <Stack gap="sm">
        <Group justify="space-between" gap="sm">
          <Title order={2} id={id}>
            {title}
          </Title>
          {actions}
        </Group>
        {children}
      </Stack>
    </Paper>
  );
}
