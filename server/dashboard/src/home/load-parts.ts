import type { Overview } from '@tillhook/sdk/session';

/** The scripts of Home's first part that have been loaded. */
export const loadedParts: {
  figures?: typeof import('./figures.tsx');
  step?: typeof import('./create-endpoint-step.tsx');
} = {};

let loading: Promise<void> | undefined;

/**
 * Starts to load the script of the first part of Home that these figures need.
 * See docs/decisions/dashboard.md, "The first load is two scripts".
 */
export function loadPartsOf({ firstSteps, now, before }: Overview): void {
  if (loading) return;
  // When this fails, the page loads the script again and shows the failure.
  if (now.payments.length + before.payments.length > 0) loading = loadFigures().catch(() => undefined);
  else if (!firstSteps.endpointCreated) loading = loadStep().catch(() => undefined);
}

/**
 * Waits at most 100 ms for the script that `loadPartsOf` loads, so that React renders the page once, and not once
 * without its first part and then again.
 */
export async function awaitParts(): Promise<void> {
  const longest = new Promise((resolve) => setTimeout(resolve, 100));
  await Promise.race([longest, loading]);
}

async function loadFigures(): Promise<void> {
  loadedParts.figures = await import('./figures.tsx');
}

async function loadStep(): Promise<void> {
  loadedParts.step = await import('./create-endpoint-step.tsx');
}
