import type { Sealer } from '../kit/seal.ts';

const mostKept = 1000;
const keptBy = new WeakMap<Sealer, Map<string, string>>();

/** A signing secret of an endpoint. The last ones are kept in memory, because opening one costs more than signing with it. */
export function openSecret(sealer: Sealer, endpointId: string, sealed: string): string {
  const kept = keptBy.get(sealer) ?? new Map<string, string>();
  keptBy.set(sealer, kept);
  const name = `${endpointId} ${sealed}`;
  const known = kept.get(name);
  if (known !== undefined) return known;
  const secret = sealer.open(sealed, endpointId);
  if (kept.size >= mostKept) kept.clear();
  kept.set(name, secret);
  return secret;
}
