/** Operators pay live transfers by hand and report the outcome, so this processor sends nothing. */
import type { PayoutProcessor, PayoutVerdict } from '../port.ts';

/** A check learns nothing, but each open transfer needs a next check, in case another processor is configured. */
const checkAfterSeconds = 24 * 60 * 60;

const processing: PayoutVerdict = { result: 'processing', checkAfterSeconds };

export function createManualPayouts(): PayoutProcessor {
  return { name: 'manual', create: async () => processing, status: async () => processing };
}
