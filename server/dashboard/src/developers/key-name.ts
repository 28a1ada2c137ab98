import type { ApiKey } from '@tillhook/sdk/session';

/** The name of a key in a sentence. */
export function nameOf({ name, last4 }: ApiKey): string {
  return name ?? `the key that ends in ${last4}`;
}
