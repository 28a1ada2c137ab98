import type { Keyring, SigningKeys } from '../../wire/keyring.ts';
import { type SealedSecrets, sealedSecretsAt } from './endpoint.entity.ts';

/** The keys that sign an attempt which begins at `now`. */
export function signingKeysAt(keyring: Keyring, endpointId: string, stored: SealedSecrets, now: Date): SigningKeys {
  const { own, others } = sealedSecretsAt(stored, now);
  const open = (sealed: string) => keyring.open(sealed, endpointId);
  return { own: open(own), others: others.map(open) };
}
