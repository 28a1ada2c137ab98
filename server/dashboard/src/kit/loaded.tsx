import { Stack, VisuallyHidden } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { NotFoundError } from '@tillhook/sdk/session';
import { type ReactNode, useState } from 'react';
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
  const { data } = read;
  const [error, forgetError] = useFailure(read);
  const tryAgain = () => {
    forgetError();
    void read.refetch();
  };
  if (error) {
    // What the list had with another filter is not what this one found before.
    const before = read.isPlaceholderData ? undefined : data;
    return (
      <Stack gap="md">
        <Failure error={error} onTryAgain={error instanceof NotFoundError ? undefined : tryAgain}>
          {before !== undefined && 'What is shown below is what was there before.'}
        </Failure>
        {before !== undefined && children(before)}
      </Stack>
    );
  }
  // After a failure, what another filter found would look like the answer.
  // See docs/decisions/dashboard.md, "A list shows older rows only while it waits for a first answer".
  const hasFailed = read.isPlaceholderData && read.errorUpdatedAt > 0;
  if (data !== undefined && !hasFailed) return children(data);
  return (
    <div aria-busy>
      <VisuallyHidden role="status">Loading</VisuallyHidden>
      {skeleton ?? <LinesSkeleton />}
    </div>
  );
}

/**
 * The failure stays while a live page asks again by itself, which would otherwise show lines in its place every few seconds.
 * Somebody who asks again sees that something goes on.
 */
function useFailure(read: UseQueryResult<unknown>): [Error | null, forget: () => void] {
  const { data, error, errorUpdatedAt, isFetching, isPlaceholderData } = read;
  // The query forgets its error when it asks again, and keeps when that was.
  const [last, setLast] = useState<{ error: Error; at: number } | null>(null);
  const [forgottenAt, setForgottenAt] = useState(0);
  if (error && last?.error !== error) setLast({ error, at: errorUpdatedAt });
  const isSame = last?.at === errorUpdatedAt && forgottenAt !== errorUpdatedAt;
  const isAskingAgain = isFetching && (data === undefined || isPlaceholderData);
  return [error ?? (isAskingAgain && isSame ? last.error : null), () => setForgottenAt(errorUpdatedAt)];
}
