/**
 * The script that reads events is loaded after the page.
 * See docs/decisions/dashboard.md, "Live pages ask again when an event comes".
 */
import type { Mode } from '@tillhook/sdk/session';

/** Events are read only once the user has stayed on the same page for this time. */
const restMs = 2_000;

const shown = new Set<{ mode: Mode }>();
let timer: ReturnType<typeof setTimeout> | undefined;
let following: { mode: Mode; stop: AbortController } | undefined;

/** Returns a function that the page calls when it is no longer shown. */
export function followWhileShown(mode: Mode): () => void {
  const page = { mode };
  shown.add(page);
  changeSoon();
  return () => {
    shown.delete(page);
    changeSoon();
  };
}

function changeSoon(): void {
  clearTimeout(timer);
  timer = setTimeout(change, restMs);
}

function change(): void {
  const mode = [...shown].at(-1)?.mode;
  if (mode === following?.mode) return;
  following?.stop.abort();
  following = mode && { mode, stop: new AbortController() };
  if (following) void follow(following);
}

async function follow({ mode, stop }: { mode: Mode; stop: AbortController }): Promise<void> {
  // If the script that reads events cannot be loaded, live pages poll as they do without events.
  const script = await import('./event-feed.ts').catch(() => null);
  await script?.followEvents(mode, stop.signal);
}
