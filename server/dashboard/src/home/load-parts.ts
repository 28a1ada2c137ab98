import type { Overview } from '@tillhook/sdk/session';

/** Loads the script of the first part of Home that these figures need, while the rest of the page is rendered. */
export function loadPartsOf({ firstSteps, now, before }: Overview): void {
  const part = now.payments.length + before.payments.length > 0 ? import('./figures.tsx') : loadStep(firstSteps);
  // When this fails, the page loads the script again and shows the failure.
  part?.catch(() => undefined);
}

function loadStep({ endpointCreated }: Overview['firstSteps']): Promise<unknown> | undefined {
  return endpointCreated ? undefined : import('./create-endpoint-step.tsx');
}
