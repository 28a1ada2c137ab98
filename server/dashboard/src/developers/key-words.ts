import type { ApiKey, ApiKeyRequest } from '@tillhook/sdk/session';

/** A scope that the user can choose for a new key. */
export type ChosenScope = NonNullable<ApiKeyRequest['scopes']>[number];

/** The description of each scope of a key. */
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

/**
 * Returns the description of a scope. For a scope that this version of the page does not know, returns the scope's
 * name.
 */
export function scopeWords(scope: string): string {
  const words: Readonly<Record<string, string>> = scopes;
  return words[scope] ?? scope;
}

/**
 * Returns the first and last characters of a key. These characters distinguish a rolled key from its replacement, which
 * has the same name.
 */
export function hintOf({ prefix, last4 }: Pick<ApiKey, 'prefix' | 'last4'>): string {
  return `${prefix}…${last4}`;
}

/** Returns the name of a key for use in a sentence. */
export function nameOf({ name, last4 }: ApiKey): string {
  return name ?? `the key that ends in ${last4}`;
}
