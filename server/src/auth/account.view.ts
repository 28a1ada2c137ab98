import type { Account } from '@tillhook/openapi';
import type { ApiKey } from './api-key.entity.ts';
import { apiKeyView } from './api-key.view.ts';
import { merchantView } from './merchant.view.ts';

export function accountView(apiKey: ApiKey): Account {
  const { mode, prefix, last4, scopes, expiresAt, lastUsedAt } = apiKeyView(apiKey);
  return { merchant: merchantView(apiKey.merchant), mode, key: { prefix, last4, scopes, expiresAt, lastUsedAt } };
}
