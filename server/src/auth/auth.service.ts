import type { Called, Context, Principal } from '../context.ts';
import { AppError } from '../kit/errors.ts';
import type { Mode } from '../kit/mode.ts';
import type { Scope } from '../kit/scope.ts';
import { ApiKey } from './api-key.entity.ts';
import { hashApiKey, looksLikeApiKey } from './api-key.ts';
import { findCallingKey } from './calling-key.ts';
import type { DashboardSession } from './dashboard-session.entity.ts';
import { noteKeyUse } from './key-use.ts';

/** Whose key this is. Throws when it is nobody's, when its time is over, and when its merchant is suspended. */
export async function identify(context: Context, key: string): Promise<Principal> {
  const found = looksLikeApiKey(key) ? await findCallingKey(context, hashApiKey(key)) : null;
  if (!found || found.isRevoked) throw new AppError('invalid_api_key', 'This API key is not valid');
  if (found.isExpired) throw new AppError('expired_api_key', 'This API key has expired');
  if (found.isSuspended) throw new AppError('merchant_suspended', 'This merchant is suspended');
  noteKeyUse(context, found);
  const { id: apiKeyId, merchantId, mode, scopes, currency } = found;
  return { merchantId, mode, currency, scopes, actor: { type: 'key', apiKeyId } };
}

/** What whoever is signed in may do: everything of the merchant, in this mode. */
export function identifyUser(session: DashboardSession | null, mode: Mode): Principal {
  if (!session) throw new AppError('invalid_session', 'Sign in first: there is no such session, or it is over');
  const { merchant, id: userId, email } = session.user;
  if (merchant.suspendedAt) throw new AppError('merchant_suspended', 'This merchant is suspended');
  const actor = { type: 'user', userId, email, sessionHash: session.tokenHash } as const;
  return { merchantId: merchant.id, mode, currency: merchant.currency, scopes: null, actor };
}

/** Throws when the caller may not do this. */
export function requireScope({ scopes }: Principal, scope: Scope): void {
  if (scopes === null || scopes.includes(scope)) return;
  throw new AppError('insufficient_scope', `This API key lacks the scope ${scope}`);
}

/** The key that is calling, with its merchant. */
export async function getCallingKey(context: Context & Called): Promise<ApiKey> {
  const { actor } = context.principal;
  const apiKey =
    actor.type === 'key'
      ? await context.em.findOne(ApiKey, { id: actor.apiKeyId }, { populate: ['merchant'], strategy: 'joined' })
      : null;
  if (!apiKey) throw new Error('There is no API key behind this call.');
  return apiKey;
}
