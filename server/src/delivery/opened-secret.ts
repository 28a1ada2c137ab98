import type { Sealer } from '../kit/seal.ts';
import type { Claimed } from './claim.ts';

interface Opened {
  sealed: string;
  secret: string;
}

const mostKept = 1000;
const keptBy = new WeakMap<Sealer, Map<string, Opened>>();

/** The secret of a delivery's endpoint. The last ones are kept in memory, because opening one costs more than signing with it. */
export function openSecret(sealer: Sealer, { endpointId, sealedSecret }: Claimed): string {
  const kept = keptBy.get(sealer) ?? new Map<string, Opened>();
  keptBy.set(sealer, kept);
  const known = kept.get(endpointId);
  // Compared, because an endpoint's secret may be another by now.
  if (known?.sealed === sealedSecret) return known.secret;
  const secret = sealer.open(sealedSecret, endpointId);
  if (kept.size >= mostKept) kept.clear();
  kept.set(endpointId, { sealed: sealedSecret, secret });
  return secret;
}
