import { Group, Stack, Text, Title } from '@mantine/core';
import { useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';

interface PageProps {
  title: string;
  /** The title of the window, with the name of the record; `title` when omitted. */
  windowTitle?: string;
  about?: ReactNode;
  back?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/**
 * When the user opened the page with a link, its title gets the focus, unless the user has opened a dialog meanwhile.
 */
export function Page({ title, windowTitle, about, back, actions, children }: PageProps): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null);
  const isFirst = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation === undefined });
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for each page.
  useEffect(() => {
    if (!isFirst && !document.activeElement?.closest('[role=dialog]')) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <Stack gap="md">
      <title>{`${windowTitle ?? title} · Tillhook`}</title>
      <div>
        {back}
        <Group justify="space-between" align="center" gap="sm">
          <Title order={1} ref={heading} tabIndex={-1} dir="auto" style={{ overflowWrap: 'anywhere' }}>
            {title}
          </Title>
          {actions && <Group gap="xs">{actions}</Group>}
        </Group>
        {about && (
          <Text size="sm" c="dimmed" mt={4} style={{ overflowWrap: 'anywhere' }}>
            {about}
          </Text>
        )}
      </div>
      {children}
    </Stack>
  );
}
