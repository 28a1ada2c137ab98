import { createPayoutSimulator } from './payout-simulator.ts';
import type { PayoutProcessors, Processors } from './port.ts';
import { createSimulator } from './simulator.ts';

/** The processor of each mode. Live has none: a simulated one would be a lie. */
export function createProcessors(): Processors {
  return { test: createSimulator('test') };
}

/** The same for money that goes out. */
export function createPayoutProcessors(): PayoutProcessors {
  return { test: createPayoutSimulator('test') };
}
