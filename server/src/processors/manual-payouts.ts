/**
 * Live transfers that operators pay by hand. This processor sends
 * nothing: the operator reports the outcome of each transfer.
 */
import type { PayoutProcessor, PayoutVerdict } from './port.ts';

/**
 * An operator's report settles a transfer at once, so a status check learns nothing.
 * It still runs once a day, because every open transfer has a next check: it costs
 * one read, and no transfer is forgotten when another processor takes over.
 */
const checkAfterSeconds = 24 * 60 * 60;

const underWay: PayoutVerdict = { result: 'processing', checkAfterSeconds };

export function createManualPayouts(): PayoutProcessor {
  return { name: 'manual', create: async () => underWay, status: async () => underWay };
}
