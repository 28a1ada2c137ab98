import type { ApiKey } from '../../people/keys/api-key.entity.ts';
import type { Table } from '../table.ts';

const headings = ['ID', 'KEY', 'MODE', 'STATUS', 'LAST USED', 'MERCHANT', 'SCOPES', 'NAME'];

/** A key as JSON, without the secret itself. */
export function keyRecord(apiKey: ApiKey, now: Date) {
  const { id, merchant, name, mode, prefix, last4, scopes, createdAt, expiresAt, revokedAt, lastUsedAt, rolledFrom } =
    apiKey;
  return {
    id,
    merchant: { id: merchant.id, name: merchant.name },
    name: name ?? null,
    mode,
    prefix,
    last4,
    scopes: scopes ?? null,
    status: statusOf(apiKey, now),
    createdAt,
    expiresAt: expiresAt ?? null,
    revokedAt: revokedAt ?? null,
    lastUsedAt: lastUsedAt ?? null,
    rolledFrom: rolledFrom ?? null,
  };
}

export function keyTable(apiKeys: readonly ApiKey[], now: Date): Table {
  const rows = apiKeys.map((apiKey) => [
    apiKey.id,
    shownKey(apiKey),
    apiKey.mode,
    statusOf(apiKey, now),
    apiKey.lastUsedAt?.toISOString().slice(0, 16).replace('T', ' ') ?? 'never',
    apiKey.merchant.name,
    apiKey.scopes?.join(',') ?? 'all',
    apiKey.name ?? '',
  ]);
  return { headings, rows };
}

/** The parts of a key that may be shown. */
export function shownKey({ prefix, last4 }: ApiKey): string {
  return `${prefix}…${last4}`;
}

function statusOf(apiKey: ApiKey, now: Date): 'active' | 'rolled' | 'expired' | 'revoked' {
  if (apiKey.revokedAt) return 'revoked';
  if (apiKey.isExpired(now)) return 'expired';
  return apiKey.expiresAt ? 'rolled' : 'active';
}
