import type { ApiKey, ApiKeyRequest } from '@tillhook/sdk/session';

export type ChosenScope = NonNullable<ApiKeyRequest['scopes']>[number];

export const scopes: Record<ChosenScope, string> = {
  'checkout:write': 'Create and cancel checkouts',
  'payments:read': 'Read payments and refunds',
  'payments:write': 'Refund payments',
  'transfers:read': 'Read transfers and balances',
  'transfers:write': 'Create transfers and top up wallets',
  'webhooks:read': 'Read endpoints, deliveries and events',
  'webhooks:write': 'Change endpoints, resend webhooks',
  'products:read': 'Read products',
  'products:write': 'Change products',
};

/** For a scope that this version of the page does not know, returns the scope's name. */
export function scopeWords(scope: string): string {
  const words: Readonly<Record<string, string>> = scopes;
  return words[scope] ?? scope;
}

/** The first and last characters distinguish a rolled key from its replacement, which has the same name. */
export function hintOf({ prefix, last4 }: Pick<ApiKey, 'prefix' | 'last4'>): string {
  return `${prefix}…${last4}`;
}

export function nameOf({ name, last4 }: ApiKey): string {
  return name ?? `the key ending in ${last4}`;
}
