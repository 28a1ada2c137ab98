import type { Overview } from '@tillhook/sdk/session';

/** Loads the script of what Home shows first of these figures, while what stands around it is still being drawn. */
export function loadPartsOf({ firstSteps, now, before }: Overview): void {
  const part = now.payments.length + before.payments.length > 0 ? import('./figures.tsx') : loadStep(firstSteps);
  // What does not come here is asked for again by the page, which says so.
  part?.catch(() => undefined);
}

function loadStep({ endpointCreated }: Overview['firstSteps']): Promise<unknown> | undefined {
  return endpointCreated ? undefined : import('./create-endpoint-step.tsx');
}
