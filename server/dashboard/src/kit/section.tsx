import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';

interface SectionProps {
  title: string;
  about?: ReactNode;
  actions?: ReactNode;
  /** Whether the section has no panel around it, because a table has its own panel. */
  isBare?: boolean;
  children: ReactNode;
}

export function Section({ title, about, actions, isBare, children }: SectionProps): ReactNode {
  const id = useId();
  const content = (
    <Stack gap="sm">
      <Group justify="space-between" gap="sm">
        <div>
          <Title order={2} id={id}>
            {title}
          </Title>
          {about && (
            <Text component="div" size="sm" c="dimmed" maw={720}>
              {about}
            </Text>
          )}
        </div>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
  if (isBare) return <section aria-labelledby={id}>{content}</section>;
  return (
    <Paper component="section" p="md" aria-labelledby={id} data-panel>
      {content}
    </Paper>
  );
}
