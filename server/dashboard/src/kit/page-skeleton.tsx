import { Skeleton, Stack, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';

export function PageSkeleton(): ReactNode {
  return (
    <Stack gap="lg" p="md" aria-busy>
      <VisuallyHidden role="status">Loading</VisuallyHidden>
      <Skeleton h={28} w={180} />
      <LinesSkeleton />
    </Stack>
  );
}

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
