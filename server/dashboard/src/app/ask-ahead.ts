import type { Mode } from '@tillhook/sdk/session';
import { overviewRead, usualDays } from '../home/overview-read.ts';
import { tillhookIn } from './api.ts';
import { basePath } from './base.ts';
import { queryClient } from './query-client.ts';
import { isMode } from './remembered-mode.ts';
import { sessionQuery } from './session.ts';

/** Asks for what the page of this address will ask for first. What fails here is asked again by the page, which says so. */
export function askAhead(): void {
  const [mode = '', ...below] = location.pathname.slice(`${basePath}/dashboard/`.length).split('/');
  if (mode === 'sign-in') return;
  const isHome = isMode(mode) && below.join('') === '' && location.search === '';
  void queryClient
    .ensureQueryData(sessionQuery)
    .then(() => (isHome ? askForFigures(mode) : undefined))
    .catch(() => undefined);
}

function askForFigures(mode: Mode): Promise<void> {
  const { key, read } = overviewRead(usualDays);
  return queryClient.prefetchQuery({
    queryKey: [mode, ...key],
    queryFn: async ({ signal }) => read(tillhookIn(mode), { signal }),
  });
}
