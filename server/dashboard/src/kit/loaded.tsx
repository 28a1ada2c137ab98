import { Stack, VisuallyHidden } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { NotFoundError } from '@tillhook/sdk/session';
import { type ReactNode, useState } from 'react';
import { Failure } from './failure.tsx';
import { LinesSkeleton } from './page-skeleton.tsx';

interface LoadedProps<Value> {
  read: UseQueryResult<Value>;
  /** Shown while the data is loaded. Lines when omitted. */
  skeleton?: ReactNode;
  children: (value: Value) => ReactNode;
}

/**
 * Shows the loaded data, a skeleton while it is loaded, or the failure. When only the latest request failed, the
 * earlier data stays below the failure. For a record that does not exist there is no button to try again.
 */
export function Loaded<Value>({ read, skeleton, children }: LoadedProps<Value>): ReactNode {
  const { data } = read;
  const [error, forgetError] = useFailure(read);
  const tryAgain = () => {
    forgetError();
    void read.refetch();
  };
  if (error) {
    // The rows of the previous filter are not earlier data of this filter.
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
  // After a failure, the rows of the previous filter would look like the answer.
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
 * A live page repeats its request every few seconds. The failure stays visible during the request, because otherwise
 * the skeleton would appear each time. When the user tries again, the skeleton is shown.
 */
function useFailure(read: UseQueryResult<unknown>): [Error | null, forget: () => void] {
  const { data, error, errorUpdatedAt, isFetching, isPlaceholderData } = read;
  // The query forgets its error when it repeats the request, but it keeps the time of the error.
  const [last, setLast] = useState<{ error: Error; at: number } | null>(null);
  const [forgottenAt, setForgottenAt] = useState(0);
  if (error && last?.error !== error) setLast({ error, at: errorUpdatedAt });
  const isSame = last?.at === errorUpdatedAt && forgottenAt !== errorUpdatedAt;
  const isRefetching = isFetching && (data === undefined || isPlaceholderData);
  return [error ?? (isRefetching && isSame ? last.error : null), () => setForgottenAt(errorUpdatedAt)];
}
