import type { ReactNode } from 'react';
import { NotFound } from './not-found.tsx';
import { RouteFailure } from './route-failure.tsx';

/** What is shown where nothing is around a page: it is the main part by itself. */
export function NotFoundAlone(): ReactNode {
  return (
    <main>
      <NotFound />
    </main>
  );
}

export function FailureAlone({ error }: { error: unknown }): ReactNode {
  return (
    <main>
      <RouteFailure error={error} />
    </main>
  );
}
