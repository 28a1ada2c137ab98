/** Operators pay live transfers by hand and report the outcome, so this processor sends nothing. */
import type { PayoutProcessor, PayoutVerdict } from '../port.ts';

/** Open transfers are checked daily, although this processor knows no outcome: another processor may be configured. */
const checkAfterSeconds = 24 * 60 * 60;

const processing: PayoutVerdict = { result: 'processing', checkAfterSeconds };

export function createManualPayouts(): PayoutProcessor {
  return { name: 'manual', create: async () => processing, status: async () => processing };
}
