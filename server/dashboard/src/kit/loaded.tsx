import { Stack, VisuallyHidden } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { NotFoundError } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { Failure } from './failure.tsx';
import { LinesSkeleton } from './page-skeleton.tsx';

interface LoadedProps<Value> {
  read: UseQueryResult<Value>;
  /** In place of lines, where something else will be. */
  skeleton?: ReactNode;
  children: (value: Value) => ReactNode;
}

/**
 * What was read, once it is there: lines before, and what happened when it failed. When only the newest reading failed, what
 * was read before stays below the failure. What does not exist is not offered to be asked for again.
 */
export function Loaded<Value>({ read, skeleton, children }: LoadedProps<Value>): ReactNode {
  const { data, error, isFetching } = read;
  // Asking again shows that something goes on; but a live page's own asking does not take the failure away.
  const isAskingAgain = isFetching && data === undefined;
  if (error && !isAskingAgain) {
    return (
      <Stack gap="md">
        <Failure error={error} onTryAgain={error instanceof NotFoundError ? undefined : () => void read.refetch()}>
          {data !== undefined && 'What is shown below is what was there before.'}
        </Failure>
        {data !== undefined && children(data)}
      </Stack>
    );
  }
  if (data !== undefined) return children(data);
  return (
    <div aria-busy>
      <VisuallyHidden role="status">Loading</VisuallyHidden>
      {skeleton ?? <LinesSkeleton />}
    </div>
  );
}
