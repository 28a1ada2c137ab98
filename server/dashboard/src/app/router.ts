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
  // A page receives only the search parameters that its route reads.
  search: { strict: true },
  // The script of a page is loaded when the pointer is over a link to it.
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  defaultPendingMs: 60,
  defaultPendingMinMs: 0,
  defaultPendingComponent: PageSkeleton,
  defaultErrorComponent: RouteFailure,
  defaultNotFoundComponent: NotFound,
  // With another mode or reference the page is a new page, so that the content of a form or a request is never sent
  // for another record.
  // See docs/decisions/dashboard.md, "A page with other parameters is a new page".
  defaultRemountDeps: ({ params }) => params,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
