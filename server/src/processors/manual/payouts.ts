/** Operators pay live transfers by hand and report the outcome, so this processor sends nothing. */
import type { PayoutProcessor, PayoutVerdict } from '../port.ts';

/** A status check learns nothing, but an open transfer needs a next check, in case the processor is changed. */
const checkAfterSeconds = 24 * 60 * 60;

const processing: PayoutVerdict = { result: 'processing', checkAfterSeconds };

export function createManualPayouts(): PayoutProcessor {
  return { name: 'manual', create: async () => processing, status: async () => processing };
}
