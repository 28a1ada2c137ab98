import { Skeleton, Stack, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';

/** Shown while a page is loaded. */
export function PageSkeleton(): ReactNode {
  return (
    <Stack gap="lg" p="md" aria-busy>
      <VisuallyHidden role="status">Loading</VisuallyHidden>
      <Skeleton h={28} w={180} />
      <LinesSkeleton />
    </Stack>
  );
}

/** Shown while a table or a list of fields is loaded. */
export function LinesSkeleton({ lines = 8 }: { lines?: number }): ReactNode {
  return (
    <Stack gap={10} aria-hidden>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: all lines are alike.
        <Skeleton key={line} h={26} />
      ))}
    </Stack>
  );
}
