import type { ReactNode } from 'react';
import { NotFound } from './not-found.tsx';
import { RouteFailure } from './route-failure.tsx';

/** The page for an address that does not exist, without the shell around it. It has the `main` element itself. */
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
