import type { ApiKey, ApiKeyRequest } from '@tillhook/sdk/session';

/** A scope that a user can choose for a new key. */
export type ChosenScope = NonNullable<ApiKeyRequest['scopes']>[number];

/** The scopes of a key, in words. */
export const scopes: Record<ChosenScope, string> = {
  'checkout:write': 'Create and cancel checkouts',
  'payments:read': 'Read payments and refunds',
  'payments:write': 'Refund payments',
  'transfers:read': 'Read transfers and balances',
  'transfers:write': 'Create transfers and top up balances',
  'webhooks:read': 'Read endpoints, deliveries and events',
  'webhooks:write': 'Change endpoints, send again',
  'products:read': 'Read products',
  'products:write': 'Change products',
};

/** The words for a scope of a key. A scope that this version of the page does not know is shown by its name. */
export function scopeWords(scope: string): string {
  const words: Readonly<Record<string, string>> = scopes;
  return words[scope] ?? scope;
}

/** The first and last characters of a key. They tell a key from its successor, which has the same name. */
export function hintOf({ prefix, last4 }: Pick<ApiKey, 'prefix' | 'last4'>): string {
  return `${prefix}…${last4}`;
}

/** The name of a key in a sentence. */
export function nameOf({ name, last4 }: ApiKey): string {
  return name ?? `the key that ends in ${last4}`;
}
