import type { Mode } from '@tillhook/server/src/kit/mode.ts';
import { registerEndpoints as register } from '../support/queued-deliveries.ts';
import type { Stage } from './stage.ts';

export function registerEndpoints(
  { database, sealer }: Stage,
  merchantId: string,
  at: { mode?: Mode; url: string; count: number },
): Promise<string[]> {
  return register(database, sealer, { merchantId, ...at });
}
