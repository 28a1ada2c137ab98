import { Stack, VisuallyHidden } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { NotFoundError } from '@tillhook/sdk/session';
import { createContext, type ReactNode, useContext, useState } from 'react';
import { Failure } from './failure.tsx';
import { LinesSkeleton } from './page-skeleton.tsx';

interface LoadedProps<Value> {
  read: UseQueryResult<Value>;
  /** Shown while the data is loaded; grey lines when omitted. */
  skeleton?: ReactNode;
  children: (value: Value) => ReactNode;
}

/** The failure that the page shows above these parts, which do not repeat it. */
const FailureAbove = createContext<string | null>(null);

/**
 * When data was loaded earlier and the latest request failed, the earlier data is shown below the failure. For a record
 * that does not exist there is no button that tries again.
 */
export function Loaded<Value>({ read, skeleton, children }: LoadedProps<Value>): ReactNode {
  const { data } = read;
  const [error, forgetError] = useFailure(read);
  const shownAbove = useContext(FailureAbove);
  const tryAgain = () => {
    forgetError();
    void read.refetch();
  };
  if (error) {
    // With `isPlaceholderData`, the rows belong to the previous filter, so they are not shown below the failure.
    const before = read.isPlaceholderData ? undefined : data;
    const below = before !== undefined && children(before);
    if (error.message === shownAbove) return below;
    return (
      <Stack gap="md">
        <Failure error={error} onTryAgain={error instanceof NotFoundError ? undefined : tryAgain}>
          {below && 'Below is the last data that was loaded.'}
        </Failure>
        <FailureAbove value={error.message}>{below}</FailureAbove>
      </Stack>
    );
  }
  // After a failure, the rows of the previous filter would look like the response for the current filter.
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
 * A live page repeats its request every few seconds. The failure stays visible during these requests, because the
 * skeleton would otherwise appear each time.
 */
function useFailure(read: UseQueryResult<unknown>): [Error | null, forget: () => void] {
  const { data, error, errorUpdatedAt, isFetching, isPlaceholderData } = read;
  // The query clears `error` when it repeats the request, but keeps `errorUpdatedAt`, which identifies the last error.
  const [last, setLast] = useState<{ error: Error; at: number } | null>(null);
  const [forgottenAt, setForgottenAt] = useState(0);
  if (error && last?.error !== error) setLast({ error, at: errorUpdatedAt });
  const isSame = last?.at === errorUpdatedAt && forgottenAt !== errorUpdatedAt;
  const isRefetching = isFetching && (data === undefined || isPlaceholderData);
  return [error ?? (isRefetching && isSame ? last.error : null), () => setForgottenAt(errorUpdatedAt)];
}
