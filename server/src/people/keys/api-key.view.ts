import type { Account, ApiKey as ApiKeyValue, CreatedApiKey } from '@tillhook/openapi';
import { merchantView } from '../merchants/merchant.view.ts';
import type { ApiKey } from './api-key.entity.ts';
import type { NewApiKey } from './api-keys.service.ts';

export function apiKeyView(apiKey: ApiKey): ApiKeyValue {
  const { id, name, mode, prefix, last4, scopes, createdAt, expiresAt, revokedAt, lastUsedAt, rolledFrom } = apiKey;
  return {
    id,
    name: name ?? null,
    mode,
    prefix,
    last4,
    scopes: scopes ?? null,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    revokedAt: revokedAt?.toISOString() ?? null,
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    rolledFrom: rolledFrom ?? null,
  };
}

export function newApiKeyView({ apiKey, key }: NewApiKey): CreatedApiKey {
  return { ...apiKeyView(apiKey), key };
}

/** `lastUsedAt` is the last use before this call, because the stored time may already be the time of this call. */
export function accountView(apiKey: ApiKey, lastUsedAt: Date | null): Account {
  const { mode, prefix, last4, scopes, expiresAt } = apiKeyView(apiKey);
  const key = { prefix, last4, scopes, expiresAt, lastUsedAt: lastUsedAt?.toISOString() ?? null };
  return { merchant: merchantView(apiKey.merchant), mode, key };
}
