import { Skeleton, Stack, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';

/** What stands where a page will be. */
export function PageSkeleton(): ReactNode {
  return (
    <Stack gap="lg" p="md" aria-busy>
      <VisuallyHidden role="status">Loading</VisuallyHidden>
      <Skeleton h={28} w={180} />
      <LinesSkeleton />
    </Stack>
  );
}

/** What stands where a table or a list of facts will be. */
export function LinesSkeleton({ lines = 8 }: { lines?: number }): ReactNode {
  return (
    <Stack gap={10} aria-hidden>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike.
        <Skeleton key={line} h={26} />
      ))}
    </Stack>
  );
}
