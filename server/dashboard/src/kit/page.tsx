import { Group, Stack, Text, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useParams, useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { sessionQuery } from '../app/session.ts';

interface PageProps {
  title: string;
  /** The content of the heading, where it is more than the text of `title`. */
  heading?: ReactNode;
  /** Shown beside the heading, such as the status of the record. */
  beside?: ReactNode;
  /** The title of the window, with the name of the record; `title` when omitted. */
  windowTitle?: string | undefined;
  about?: ReactNode;
  back?: ReactNode;
  actions?: ReactNode;
  /** Whether the page uses all of a wide window, as lists do. */
  isWide?: boolean;
  children: ReactNode;
}

/** The heading stays where it is when the buttons of a record appear beside it. */
const buttonHeight = 36;

/**
 * When the user opened the page with a link, its title gets the focus, unless the user has opened a dialog meanwhile.
 */
export function Page(props: PageProps): ReactNode {
  const { title, heading = title, beside, windowTitle = title, about, back, actions, isWide, children } = props;
  const titleRef = useRef<HTMLHeadingElement>(null);
  const isFirst = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation === undefined });
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for each page.
  useEffect(() => {
    if (!isFirst && !document.activeElement?.closest('[role=dialog]')) titleRef.current?.focus({ preventScroll: true });
  }, []);
  return (
    <Stack gap="md" data-wide={isWide || undefined}>
      <title>{[windowTitle, ...useWhere(), 'Tillhook'].join(' · ')}</title>
      <div>
        {back}
        <Group justify="space-between" align="center" gap="sm" mih={buttonHeight}>
          <Group gap="xs" align="center" miw={0} maw="100%">
            <Title order={1} ref={titleRef} tabIndex={-1} dir="auto" miw={0} style={{ overflowWrap: 'anywhere' }}>
              {heading}
            </Title>
            {beside}
          </Group>
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

/** Tabs of both modes and, for an operator, of several merchants may be open at the same time. */
function useWhere(): string[] {
  const { mode } = useParams({ strict: false });
  const merchant = useQueryClient().getQueryData(sessionQuery.queryKey)?.merchant.name;
  return [...(mode === 'test' ? ['Test mode'] : []), ...(merchant === undefined ? [] : [merchant])];
}
