import type { Config } from '../config/config.ts';
import type { Logger } from '../kit/logger.ts';
import { createManualPayouts } from './manual/payouts.ts';
import type { PayoutProcessors, Processors } from './port.ts';
import { createPaymentSimulator } from './simulator/payments.ts';
import { createPayoutSimulator } from './simulator/payouts.ts';

/** Live mode has a processor only if configured: a simulated live payment would show money that does not exist. */
export async function createProcessors({ processors: { stripe } }: Config, log: Logger): Promise<Processors> {
  const test = createPaymentSimulator('test');
  if (!stripe) return { test };
  // The import is dynamic, because loading Stripe's package makes a start slower.
  const { createStripe } = await import('./stripe/payments.ts');
  return { test, live: createStripe(stripe, log) };
}

export function createPayoutProcessors({ processors: { payouts } }: Config): PayoutProcessors {
  return {
    test: createPayoutSimulator('test'),
    ...(payouts === 'manual' && { live: createManualPayouts() }),
  };
}
