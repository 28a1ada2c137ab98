/** Live transfers that the operator carries out by hand: nothing is sent, and a command says what became of each. */
import type { PayoutProcessor, PayoutVerdict } from './port.ts';

/**
 * A command settles its transfer at once, so asking in between can learn nothing. Once a day is for the rule that an open
 * transfer is always looked at again: it costs one read, and no transfer is forgotten when another processor takes over.
 */
const checkAfterSeconds = 24 * 60 * 60;

const underWay: PayoutVerdict = { result: 'processing', checkAfterSeconds };

export function createManualPayouts(): PayoutProcessor {
  return { name: 'manual', create: async () => underWay, status: async () => underWay };
}
