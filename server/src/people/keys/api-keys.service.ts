/** API keys cannot manage API keys, because a leaked key must not create new keys. */
import { LockMode } from '@mikro-orm/core';
import type { Context, WithPrincipal, WriteContext } from '../../context.ts';
import { AppError, invalid, notFound } from '../../kit/errors.ts';
import { dayMs } from '../../kit/hours.ts';
import { isId, newId } from '../../kit/ids.ts';
import type { Mode } from '../../kit/mode.ts';
import type { Page, Paged } from '../../kit/pagination.ts';
import type { Scope } from '../../kit/permissions.ts';
import type { Merchant } from '../merchants/merchant.entity.ts';
import { readMerchantsOf } from '../merchants/merchants.service.ts';
import { type ApiKeyEvent, notify } from '../notifications/notify.service.ts';
import { ApiKey } from './api-key.entity.ts';
import { hashApiKey, newApiKey } from './api-key.ts';

const defaultOverlapMs = dayMs;

/** The maximum number of usable keys of a merchant in each mode. Operators may create more keys. */
const maxApiKeys = 100;

/** Without the lock, a key could be rolled and revoked at the same moment. */
const locked = { lockMode: LockMode.PESSIMISTIC_WRITE } as const;

export interface Permissions {
  mode: Mode;
  /** When null or omitted, the key may do everything. */
  scopes?: readonly Scope[] | null;
  name?: string | null;
}

export interface NewApiKey {
  apiKey: ApiKey;
  /** The key itself, which cannot be read later, because only its hash is stored. */
  key: string;
}

export function createApiKey(
  context: WriteContext,
  merchant: Merchant,
  { mode, scopes, name = null }: Permissions,
): NewApiKey {
  const key = newApiKey(mode);
  const apiKey = Object.assign(new ApiKey(), {
    id: newId(),
    merchant,
    name,
    mode,
    hash: hashApiKey(key),
    prefix: key.slice(0, 12),
    last4: key.slice(-4),
    scopes: scopes ? [...new Set(scopes)] : null,
    createdAt: context.clock.now(),
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
    rolledFrom: null,
  });
  context.em.persist(apiKey);
  return { apiKey, key };
}

export function listApiKeys(context: Context, merchantId?: string): Promise<ApiKey[]> {
  const where = merchantId === undefined ? {} : { merchant: merchantId };
  return context.em.find(ApiKey, where, { populate: ['merchant'], orderBy: { id: 'desc' } });
}

export async function getApiKey(context: WriteContext, idOrPrefix: string): Promise<ApiKey> {
  const where = isId(idOrPrefix) ? { id: idOrPrefix } : { prefix: idOrPrefix };
  const found = await context.em.find(ApiKey, where, { ...locked, limit: 2 });
  await readMerchantsOf(context, found);
  const [apiKey, another] = found;
  if (!apiKey) throw new AppError('resource_not_found', `There is no API key ${idOrPrefix}`);
  if (another)
    throw invalid('invalid_parameter', 'key', `${idOrPrefix} is the prefix of more than one key; use the id`);
  return apiKey;
}

/** Their operations are not allowed to developers. */
const scopesAgainstRole: readonly Scope[] = ['checkout:write', 'payments:write', 'transfers:write', 'products:write'];

// See docs/decisions/auth.md, "A developer's live keys do not move money".
export function requireRightToKey({ principal }: WithPrincipal, wanted: readonly Scope[] | null): void {
  const { actor, mode } = principal;
  if (actor.type === 'key' || actor.role !== 'developer' || mode === 'test') return;
  if (wanted && !scopesAgainstRole.some((scope) => wanted.includes(scope))) return;
  throw new AppError(
    'role_not_allowed',
    `A developer may have live keys only with scopes, and without ${scopesAgainstRole.join(', ')}`,
  );
}

/** The merchant's row must be locked: otherwise concurrent calls could exceed the maximum together. */
export async function checkKeyLimit(context: WriteContext & WithPrincipal): Promise<void> {
  const { merchantId, mode } = context.principal;
  const now = context.clock.now();
  const isUsable = { revokedAt: null, $or: [{ expiresAt: null }, { expiresAt: { $gt: now } }] };
  const count = await context.em.count(ApiKey, { merchant: merchantId, mode, ...isUsable });
  if (count < maxApiKeys) return;
  throw new AppError(
    'api_key_limit_reached',
    `A merchant may have at most ${maxApiKeys} API keys in each mode; revoke one first`,
  );
}

export async function listOwnApiKeys(context: Context & WithPrincipal, page: Page): Promise<Paged<ApiKey>> {
  const { merchantId, mode } = context.principal;
  const where = { merchant: merchantId, mode };
  const [records, total] = await context.em.findAndCount(ApiKey, where, { ...page, orderBy: { id: 'desc' } });
  return { records, total };
}

export async function getOwnApiKey(context: WriteContext & WithPrincipal, id: string): Promise<ApiKey> {
  const { merchantId, mode } = context.principal;
  const where = { id, merchant: merchantId, mode };
  const apiKey = await context.em.findOne(ApiKey, where, locked);
  if (!apiKey) throw notFound();
  return apiKey;
}

export function rollApiKey(context: WriteContext, old: ApiKey, overlapMs = defaultOverlapMs): NewApiKey {
  const now = context.clock.now();
  if (old.revokedAt || old.isExpired(now)) {
    throw new AppError('api_key_ended', `${old.prefix}…${old.last4} has ended and cannot be rolled; create one`);
  }
  const { merchant, mode, scopes = null, name = null } = old;
  const successor = createApiKey(context, merchant, { mode, scopes, name });
  successor.apiKey.rolledFrom = old.id;
  old.expireAt(new Date(now.getTime() + overlapMs));
  return successor;
}

export function revokeApiKey(context: WriteContext, apiKey: ApiKey): void {
  apiKey.revoke(context.clock.now());
}

/** A key is changed by a user of the dashboard, or by an operator at the command line. */
export async function notifyOfKey(
  context: WriteContext & Partial<WithPrincipal>,
  { merchant, mode, prefix, last4, name = null }: ApiKey,
  event: ApiKeyEvent,
): Promise<void> {
  const actor = context.principal?.actor;
  const by = actor?.type === 'user' ? actor.email : 'an operator of this service';
  const details = { event, key: `${prefix}…${last4}`, name, by };
  await notify(context, { kind: 'api_key', merchantId: merchant.id, mode, details });
}

export async function getCallingKey(context: Context & WithPrincipal): Promise<ApiKey> {
  const { actor } = context.principal;
  const apiKey =
    actor.type === 'key'
      ? await context.em.findOne(ApiKey, { id: actor.apiKeyId }, { populate: ['merchant'], strategy: 'joined' })
      : null;
  if (!apiKey) throw new Error('This call was not made with an API key.');
  return apiKey;
}
