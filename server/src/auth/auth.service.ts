import type { Called, Context, Principal } from '../context.ts';
import { AppError } from '../kit/errors.ts';
import type { Scope } from '../kit/scope.ts';
import { ApiKey } from './api-key.entity.ts';
import { hashApiKey, looksLikeApiKey } from './api-key.ts';
import { findCallingKey } from './calling-key.ts';
import { noteKeyUse } from './key-use.ts';

/** Whose key this is. Throws when it is nobody's, when its time is over, and when its merchant is suspended. */
export async function identify(context: Context, key: string): Promise<Principal> {
  const found = looksLikeApiKey(key) ? await findCallingKey(context, hashApiKey(key)) : null;
  if (!found || found.isRevoked) throw new AppError('invalid_api_key', 'This API key is not valid');
  if (found.isExpired) throw new AppError('expired_api_key', 'This API key has expired');
  if (found.isSuspended) throw new AppError('merchant_suspended', 'This merchant is suspended');
  noteKeyUse(context, found);
  const { id: apiKeyId, merchantId, mode, scopes, currency } = found;
  return { merchantId, mode, currency, scopes, apiKeyId };
}

/** Throws when the caller may not do this. */
export function requireScope({ scopes }: Principal, scope: Scope): void {
  if (scopes === null || scopes.includes(scope)) return;
  throw new AppError('insufficient_scope', `This API key lacks the scope ${scope}`);
}

/** The key that is calling, with its merchant. */
export async function getCallingKey(context: Context & Called): Promise<ApiKey> {
  const { apiKeyId } = context.principal;
  const apiKey =
    apiKeyId === null
      ? null
      : await context.em.findOne(ApiKey, { id: apiKeyId }, { populate: ['merchant'], strategy: 'joined' });
  if (!apiKey) throw new Error('There is no API key behind this call.');
  return apiKey;
}
