import { CatchBoundary } from '@tanstack/react-router';
import { type ReactNode, Suspense, useSyncExternalStore } from 'react';
import { lazily } from '../app/load-script.ts';

let isWanted = false;
const listeners = new Set<() => void>();
const place = () => import('./notice-place.tsx');
const NoticePlace = lazily(async () => (await place()).NoticePlace);

/** Says for a few seconds, in a corner of the page, that something is done: "The endpoint is paused". Failures stay where they are. */
export async function notify(message: string): Promise<void> {
  isWanted = true;
  for (const listener of listeners) listener();
  const loaded = await place().catch(() => null);
  loaded?.show(message);
}

/** Where notices appear. Its script comes with the first one. Without the script there are no notices, and the page stays. */
export function Notices(): ReactNode {
  const isShown = useSyncExternalStore(subscribe, () => isWanted);
  return isShown ? (
    <CatchBoundary getResetKey={never} errorComponent={Nothing}>
      <Suspense>
        <NoticePlace />
      </Suspense>
    </CatchBoundary>
  ) : null;
}

const never = () => 'never';
const Nothing = () => null;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
