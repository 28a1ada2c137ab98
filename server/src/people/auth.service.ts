import type { Context, Principal } from '../context.ts';
import { AppError } from '../kit/errors.ts';
import { isId } from '../kit/ids.ts';
import type { Mode } from '../kit/mode.ts';
import type { Role, Scope } from '../kit/permissions.ts';
import { hashApiKey, looksLikeApiKey } from './keys/api-key.ts';
import { findCallingKey, type KeyUses, type KnownKeys, requireUsable } from './keys/calling-key.ts';
import { Merchant } from './merchants/merchant.entity.ts';
import type { DashboardSession } from './sessions/dashboard-session.entity.ts';

export interface KeyLookUp {
  uses: KeyUses;
  known: KnownKeys;
}

/** With `mayBeKnown`, a key that was found a few seconds ago is not looked up again. */
export async function identify(
  context: Context,
  { key, hash }: { key: string; hash: string },
  { uses, known, mayBeKnown }: KeyLookUp & { mayBeKnown: boolean },
): Promise<Principal> {
  const remembered = mayBeKnown && known.find(hash);
  const stored = !remembered && looksLikeApiKey(key) ? await findCallingKey(context, hashApiKey(key)) : null;
  if (stored) uses.noteLate(context, stored);
  const found = remembered || requireUsable(stored);
  if (!remembered) {
    uses.note(context, found);
    known.add(hash, found);
  }
  const { id: apiKeyId, merchantId, mode, scopes, currency, lastUsedMs } = found;
  const lastUsedAt = lastUsedMs === null ? null : new Date(lastUsedMs);
  return { merchantId, mode, currency, scopes, actor: { type: 'key', apiKeyId, lastUsedAt } };
}

interface Subject {
  mode: Mode;
  /** The id of the merchant that an operator chose with the header `X-Service-Merchant`. */
  merchantId?: string | undefined;
}

// See docs/decisions/auth.md, "An operator looks at one merchant at a time".
export async function identifyUser(
  context: Context,
  session: DashboardSession | null,
  { mode, merchantId }: Subject,
): Promise<Principal> {
  if (!session) throw new AppError('invalid_session', 'Sign in first: there is no such session, or it is over');
  const { user } = session;
  if (user.isSuspended()) throw new AppError('merchant_suspended', 'This merchant is suspended');
  if (merchantId !== undefined && user.role !== 'operator') {
    throw new AppError('role_not_allowed', 'Only an operator may send X-Service-Merchant');
  }
  const merchant = merchantId === undefined ? user.merchant : await getNamedMerchant(context, merchantId);
  const { id: userId, email, role } = user;
  const lacksTwoStep = session.lacksTwoStep();
  const actor = { type: 'user', userId, email, role, lacksTwoStep, sessionHash: session.tokenHash } as const;
  return { merchantId: merchant.id, mode, currency: merchant.currency, scopes: null, actor };
}

// Choice: an unknown merchant gives 403 and not 404, because its id is in a header and not in the path.
async function getNamedMerchant({ em }: Context, id: string): Promise<Merchant> {
  const merchant = isId(id) ? await em.findOne(Merchant, { id }) : null;
  if (!merchant) {
    throw new AppError('unknown_merchant', 'There is no merchant with the id that X-Service-Merchant names');
  }
  return merchant;
}

export function requireTestMode({ mode }: Pick<Principal, 'mode'>): void {
  if (mode !== 'test') throw new AppError('test_mode_only', 'This operation works in test mode only');
}

export function requireScope({ scopes }: Principal, scope: Scope): void {
  if (scopes === null || scopes.includes(scope)) return;
  throw new AppError('insufficient_scope', `This API key lacks the scope ${scope}`);
}

// See docs/decisions/auth.md, "An operation names the roles that may call it".
export function requireRole({ actor }: Principal, allowed: readonly Role[]): void {
  if (actor.type === 'key' || allowed.includes(actor.role)) return;
  const list = allowed.join(', ');
  throw new AppError('role_not_allowed', `A user with the role ${actor.role} may not do this; allowed is: ${list}`);
}

export function requireTwoStepSetUp({ actor }: Principal): void {
  if (actor.type === 'key' || !actor.lacksTwoStep) return;
  throw new AppError('two_step_setup_required', 'The merchant requires two-step sign-in: turn it on first');
}
