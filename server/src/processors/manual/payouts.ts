/**
 * Live transfers that operators pay by hand. This processor sends nothing: the operator reports the outcome of each
 * transfer.
 */
import type { PayoutProcessor, PayoutVerdict } from '../port.ts';

/**
 * The time until the next status check. The operator's report settles a transfer at once, so a status check learns
 * nothing. But every open transfer must have a next check, so that no transfer is forgotten when another processor is
 * configured. The check costs only one read.
 */
const checkAfterSeconds = 24 * 60 * 60;

const processing: PayoutVerdict = { result: 'processing', checkAfterSeconds };

export function createManualPayouts(): PayoutProcessor {
  return { name: 'manual', create: async () => processing, status: async () => processing };
}
