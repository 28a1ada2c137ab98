/** The life of API keys. None of this is reached with an API key: a leaked key must not mint keys. */
import { validate as isUuid } from 'uuid';
import type { Context, WriteContext } from '../context.ts';
import { AppError, invalid } from '../kit/errors.ts';
import { newId } from '../kit/ids.ts';
import type { Mode } from '../kit/mode.ts';
import type { Scope } from '../kit/scope.ts';
import { ApiKey } from './api-key.entity.ts';
import { hashApiKey, newApiKey } from './api-key.ts';
import type { Merchant } from './merchant.entity.ts';

const hourMs = 3_600_000;

/** How long a rolled key may still be used beside its successor. */
export const overlapsMs = { '0': 0, '1h': hourMs, '24h': 24 * hourMs, '7d': 7 * 24 * hourMs };

export type Overlap = keyof typeof overlapsMs;

export const defaultOverlap: Overlap = '24h';

export interface Permissions {
  mode: Mode;
  /** Null or left out may do everything. */
  scopes?: readonly Scope[] | null;
}

export interface NewApiKey {
  apiKey: ApiKey;
  /** The key itself: this is the only moment at which it can be read. */
  key: string;
}

export function createApiKey(context: WriteContext, merchant: Merchant, { mode, scopes }: Permissions): NewApiKey {
  const key = newApiKey(mode);
  const apiKey = Object.assign(new ApiKey(), {
    id: newId(),
    merchant,
    mode,
    hash: hashApiKey(key),
    prefix: key.slice(0, 12),
    last4: key.slice(-4),
    scopes: scopes ? [...scopes] : null,
    createdAt: context.clock.now(),
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
    rolledFrom: null,
  });
  context.em.persist(apiKey);
  return { apiKey, key };
}

/** The newest first, with those that can no longer be used; of one merchant, or of all. */
export function listApiKeys(context: Context, merchantId?: string): Promise<ApiKey[]> {
  const where = merchantId === undefined ? {} : { merchant: merchantId };
  return context.em.find(ApiKey, where, { populate: ['merchant'], orderBy: { id: 'desc' } });
}

/** The key of this id or prefix; with a merchant, only among that merchant's. */
export async function getApiKey(context: Context, idOrPrefix: string, merchantId?: string): Promise<ApiKey> {
  const name = isUuid(idOrPrefix) ? { id: idOrPrefix } : { prefix: idOrPrefix };
  const where = { ...name, ...(merchantId !== undefined && { merchant: merchantId }) };
  const [apiKey, another] = await context.em.find(ApiKey, where, { populate: ['merchant'], limit: 2 });
  if (!apiKey) throw new AppError('resource_not_found', `There is no API key ${idOrPrefix}`);
  if (another) throw invalid('invalid_parameter', 'key', `${idOrPrefix} is more than one; use the id`);
  return apiKey;
}

/** Makes a successor with the same scopes and mode. The old key goes on working until the overlap ends. */
export function rollApiKey(context: WriteContext, old: ApiKey, overlap: Overlap = defaultOverlap): NewApiKey {
  const now = context.clock.now();
  if (old.revokedAt || old.isExpired(now)) {
    throw invalid('invalid_parameter', 'key', `${old.prefix}…${old.last4} has ended and cannot be rolled; create one`);
  }
  const successor = createApiKey(context, old.merchant, { mode: old.mode, scopes: old.scopes ?? null });
  successor.apiKey.rolledFrom = old.id;
  old.expireAt(new Date(now.getTime() + overlapsMs[overlap]));
  return successor;
}

/** Ends the key at once. */
export function revokeApiKey(context: WriteContext, apiKey: ApiKey): void {
  apiKey.revoke(context.clock.now());
}
