import type { Config } from '../config/config.ts';
import type { Logger } from '../kit/logger.ts';
import { createManualPayouts } from './manual-payouts.ts';
import { createPayoutSimulator } from './payout-simulator.ts';
import type { PayoutProcessors, Processors } from './port.ts';
import { createSimulator } from './simulator.ts';

const withTestKey =
  "STRIPE_SECRET_KEY is a key of Stripe's test mode: customers pay live payments with test cards, and no money moves";

/**
 * Creates the processor of each mode. Live mode has the configured
 * one or none, because a simulated payment would be a lie.
 */
export async function createProcessors({ stripe: settings }: Config, log: Logger): Promise<Processors> {
  const test = createSimulator('test');
  if (!settings) return { test };
  // Imported only when it is configured, because the import makes every start slower.
  const { createStripe } = await import('./stripe.ts');
  if (settings.secretKey.includes('_test_')) log.warn(withTestKey);
  return { test, live: createStripe(settings, log) };
}

/** Creates the processor of transfers for each mode. Live mode has one only when it is configured. */
export function createPayoutProcessors({ payoutProcessor }: Config): PayoutProcessors {
  return {
    test: createPayoutSimulator('test'),
    ...(payoutProcessor === 'manual' && { live: createManualPayouts() }),
  };
}
