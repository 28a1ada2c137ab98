import type { Overview } from '@tillhook/sdk/session';

/** Loads the script of the part of Home that these figures show first, while the frame of the page is drawn. */
export function loadPartsOf({ firstSteps, now, before }: Overview): void {
  const part = now.payments.length + before.payments.length > 0 ? import('./figures.tsx') : loadStep(firstSteps);
  // What does not come here is asked for again by the page, which says so.
  part?.catch(() => undefined);
}

function loadStep({ endpointCreated }: Overview['firstSteps']): Promise<unknown> | undefined {
  return endpointCreated ? undefined : import('./create-endpoint-step.tsx');
}
