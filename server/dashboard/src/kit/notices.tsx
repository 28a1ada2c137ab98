import { CatchBoundary } from '@tanstack/react-router';
import { type ReactNode, Suspense, useSyncExternalStore } from 'react';
import { lazily } from '../app/load-script.tsx';

let isWanted = false;
const listeners = new Set<() => void>();
const place = () => import('./notice-place.tsx');
const NoticePlace = lazily(async () => (await place()).NoticePlace);

/**
 * Shows only successes: failures are shown beside the button or the field that caused them. `undo` undoes the change,
 * and returns the words that then replace the message.
 */
export async function notify(message: string, undo?: () => Promise<string>): Promise<void> {
  isWanted = true;
  for (const listener of listeners) listener();
  const loaded = await place().catch(() => null);
  loaded?.show(message, undo);
}

/** When the script of notices cannot be loaded, the page still works, without notices. */
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
