import { createRouter } from '@tanstack/react-router';
import { PageSkeleton } from '../kit/page-skeleton.tsx';
import { NotFound } from '../shell/not-found.tsx';
import { RouteFailure } from '../shell/route-failure.tsx';
import { basePath } from './base.ts';
import { queryClient } from './query-client.ts';
import { routeTree } from './routes.ts';
import { readAddress, writeAddress } from './search.ts';

export const router = createRouter({
  routeTree,
  basepath: `${basePath}/dashboard`,
  context: { queryClient },
  parseSearch: readAddress,
  stringifySearch: writeAddress,
  // A page has the parameters that its route reads, and no others.
  search: { strict: true },
  // A page's script comes while the pointer is on its way to the link.
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  defaultPendingMs: 60,
  defaultPendingMinMs: 0,
  defaultPendingComponent: PageSkeleton,
  defaultErrorComponent: RouteFailure,
  defaultNotFoundComponent: NotFound,
  // Another mode or another reference is another page: what was typed or asked on the one is never sent from the other.
  // See docs/decisions/dashboard.md, "A page with other parameters is a new page".
  defaultRemountDeps: ({ params }) => params,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
