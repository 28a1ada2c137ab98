import type { Config } from '../config.ts';
import type { Logger } from '../kit/logger.ts';
import { createManualPayouts } from './manual-payouts.ts';
import { createPayoutSimulator } from './payout-simulator.ts';
import type { PayoutProcessors, Processors } from './port.ts';
import { createSimulator } from './simulator.ts';

const withTestKey =
  "STRIPE_SECRET_KEY is one of Stripe's test mode: live payments are paid with test cards, and are worth nothing";

/** The processor of each mode. Live has the one that is configured, or none: a simulated one would be a lie. */
export async function createProcessors({ stripe: settings }: Config, log: Logger): Promise<Processors> {
  const test = createSimulator('test');
  if (!settings) return { test };
  // Imported only here: whoever takes no live payments need not wait for it at every start.
  const { createStripe } = await import('./stripe.ts');
  if (settings.secretKey.includes('_test_')) log.warn(withTestKey);
  return { test, live: createStripe(settings, log) };
}

/** The same for money that goes out: live has one where it is configured. */
export function createPayoutProcessors({ payoutProcessor }: Config): PayoutProcessors {
  return {
    test: createPayoutSimulator('test'),
    ...(payoutProcessor === 'manual' && { live: createManualPayouts() }),
  };
}
