import type { ApiKey } from '@tillhook/sdk/session';

/** The first and last characters of a key, by which a person recognises it: a key and its successor have one name. */
export function hintOf({ prefix, last4 }: Pick<ApiKey, 'prefix' | 'last4'>): string {
  return `${prefix}…${last4}`;
}

/** The name of a key in a sentence. */
export function nameOf({ name, last4 }: ApiKey): string {
  return name ?? `the key that ends in ${last4}`;
}
