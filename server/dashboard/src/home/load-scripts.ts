import type { Overview } from '@tillhook/sdk/session';

let step: typeof import('./pay-step.tsx') | undefined;
let loadingStep: Promise<void> | undefined;

/** Returns undefined until the script of the first step has been loaded. */
export const loadedStep = () => step?.PayStep;

/**
 * Home begins with the first step of a new merchant or with figures of payments, and each has a separate script.
 * See docs/decisions/dashboard.md, "The first load is three scripts".
 */
export function loadScriptsOf({ firstSteps, now, before }: Overview): void {
  // A failed load is ignored here: the page loads the script again, and shows a message if it fails again.
  if (!firstSteps.paymentCompleted) loadingStep ??= loadStep().catch(() => undefined);
  else if (now.payments.length + before.payments.length > 0) import('./figures.tsx').catch(() => undefined);
}

/** Waits at most 100 ms for the script of the first step, so that React renders Home once and not twice. */
export async function awaitStep(): Promise<void> {
  const timeout = new Promise((resolve) => setTimeout(resolve, 100));
  await Promise.race([timeout, loadingStep]);
}

async function loadStep(): Promise<void> {
  step = await import('./pay-step.tsx');
}
