/**
 * Knows whether a live page is shown, and follows the events while one is. The script that does so is loaded after the
 * page.
 * See docs/decisions/dashboard.md, "Live pages ask again when an event comes".
 */
import type { Mode } from '@tillhook/sdk/session';

/** After this time without another page, the events are followed, or no longer. */
const restMs = 2_000;

const shown = new Set<{ mode: Mode }>();
let timer: ReturnType<typeof setTimeout> | undefined;
let following: { mode: Mode; stop: AbortController } | undefined;

/** To be called when a live page is shown. Returns a function to call when it is no longer shown. */
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
  // Without this script, the pages ask again as often as without events.
  const script = await import('./event-feed.ts').catch(() => null);
  await script?.followEvents(mode, stop.signal);
}
