import type { Overview } from '@tillhook/sdk/session';

let step: typeof import('./create-endpoint-step.tsx') | undefined;
let loadingStep: Promise<void> | undefined;

/** Returns the component of the first step; undefined until its script has been loaded. */
export const loadedStep = () => step?.CreateEndpointStep;

/**
 * Loads the script that shows the first part of Home, which depends on the figures.
 * See docs/decisions/dashboard.md, "The first load is three scripts".
 */
export function loadScriptsOf({ firstSteps, now, before }: Overview): void {
  // When a script fails to load, the page loads it again and shows the failure. The first step is above the figures
  // and contains a form, so its script is loaded first.
  if (!firstSteps.endpointCreated) loadingStep ??= loadStep().catch(() => undefined);
  else if (now.payments.length + before.payments.length > 0) import('./figures.tsx').catch(() => undefined);
}

/**
 * Waits at most 100 ms for the script of the first step, so that React renders Home once and not twice. The script
 * that shows figures is not awaited, because figures take longer to render than the rest of the page.
 */
export async function awaitStep(): Promise<void> {
  const timeout = new Promise((resolve) => setTimeout(resolve, 100));
  await Promise.race([timeout, loadingStep]);
}

async function loadStep(): Promise<void> {
  step = await import('./create-endpoint-step.tsx');
}
