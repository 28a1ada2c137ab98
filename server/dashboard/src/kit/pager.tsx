import { Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { lastPage, pageSize } from '../app/search.ts';
import { lazyFormat } from './locale.ts';

interface PagerProps {
  /** From 1. */
  page: number;
  total: number;
  onPage: (page: number) => void;
}

const count = lazyFormat((locale) => new Intl.NumberFormat(locale));

/**
 * Shows which records of the list are visible, with links to the previous and the next page.
 * See docs/decisions/dashboard.md, "Lists have Previous and Next, and end at page 4,000".
 */
export function Pager({ page, total, onPage }: PagerProps): ReactNode {
  const first = Math.min((page - 1) * pageSize + 1, total);
  const last = Math.min(page * pageSize, total);
  const isCut = page >= lastPage && last < total;
  return (
    <Group component="nav" justify="space-between" gap="sm" aria-label="Pages of this list">
      <Text size="sm" c="dimmed" role="status">
        {total === 0 ? 'None' : `${count().format(first)}–${count().format(last)} of ${count().format(total)}`}
        {isCut && '. This is the end of the list. Filter by time to see more.'}
      </Text>
      <Group gap="xs">
        <Button size="xs" variant="default" disabled={page <= 1} onClick={() => onPage(page - 1)}>
          Previous
        </Button>
        <Button size="xs" variant="default" disabled={isCut || last >= total} onClick={() => onPage(page + 1)}>
          Next
        </Button>
      </Group>
    </Group>
  );
}
