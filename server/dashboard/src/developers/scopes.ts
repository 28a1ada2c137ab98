import type { Scope } from '@tillhook/sdk/session';

/** The scopes of a key, in words. */
export const scopes: Record<Scope, string> = {
  'checkout:write': 'Create and cancel checkouts',
  'payments:read': 'Read payments',
  'transfers:read': 'Read transfers and balances',
  'transfers:write': 'Create transfers and top up balances',
  'webhooks:read': 'Read endpoints, deliveries and events',
  'webhooks:write': 'Change endpoints, send again',
  'products:read': 'Read products',
  'products:write': 'Change products',
};
