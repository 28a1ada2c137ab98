import type { Processors } from './port.ts';
import { createSimulator } from './simulator.ts';

/** The processor of each mode. Live has none: a simulated one would be a lie. */
export function createProcessors(): Processors {
  return { test: createSimulator('test') };
}
