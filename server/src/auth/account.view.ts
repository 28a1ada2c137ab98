import type { Account } from '@tillhook/openapi';
import type { ApiKey } from './api-key.entity.ts';

export function accountView({ merchant, mode, prefix, last4, scopes, expiresAt, lastUsedAt }: ApiKey): Account {
  return {
    merchant: { id: merchant.id, name: merchant.name, currency: merchant.currency },
    mode,
    key: {
      prefix,
      last4,
      scopes: scopes ?? null,
      expiresAt: expiresAt?.toISOString() ?? null,
      lastUsedAt: lastUsedAt?.toISOString() ?? null,
    },
  };
}
