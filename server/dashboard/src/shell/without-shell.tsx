import type { ReactNode } from 'react';
import { BareBar } from './brand.tsx';
import { NotFound } from './not-found.tsx';
import { RouteFailure } from './route-failure.tsx';

/** The page for an address that does not exist, without the shell around it. It has the `main` element itself. */
export function NotFoundAlone(): ReactNode {
  return (
    <>
      <BareBar />
      <main>
        <NotFound />
      </main>
    </>
  );
}

export function FailureAlone({ error }: { error: unknown }): ReactNode {
  return (
    <>
      <BareBar />
      <main>
        <RouteFailure error={error} />
      </main>
    </>
  );
}
