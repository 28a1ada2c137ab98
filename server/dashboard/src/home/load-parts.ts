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
  if (now.payments.length + before.payments.length > 0) loading = loadFigures();
  else if (!firstSteps.endpointCreated) loading = loadStep();
}

/**
 * Ends when the script that was started above is there, so that React renders the page once and not twice. A script that is slow
 * or fails is not waited for: the page loads it again and shows the failure.
 */
export async function awaitParts(): Promise<void> {
  const patience = new Promise((resolve) => setTimeout(resolve, 100));
  await Promise.race([patience, loading?.catch(() => undefined)]);
}

async function loadFigures(): Promise<void> {
  loadedParts.figures = await import('./figures.tsx');
}

async function loadStep(): Promise<void> {
  loadedParts.step = await import('./create-endpoint-step.tsx');
}
