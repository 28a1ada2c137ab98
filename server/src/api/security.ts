// See docs/decisions/requests.md, "The caller is authenticated by our own step".
import type { Model, ModelOperation } from '@tillhook/openapi';
import {
  bearerKey,
  bringsKey,
  challengeOf,
  challenges,
  differingKeys,
  isCrossSite,
  missingCredential,
  sessionCookie,
  takesKeyHeader,
} from '@tillhook/openapi/rules/credentials';
import { noMode, otherSite } from '@tillhook/openapi/rules/sentences';
import type { Request, RequestHandler } from 'express';
import { type Context, type Principal, withFreshEntityManager } from '../context.ts';
import { AppError } from '../kit/errors.ts';
import { networkOf } from '../kit/network-of.ts';
import type { Operations } from '../operation/operation.ts';
import { type RateLimits, rateHeaders } from '../operation/rate-limits.ts';
import {
  identify,
  identifyUser,
  type KeyLookUp,
  requireRole,
  requireScope,
  requireTwoStepSetUp,
} from '../people/auth.service.ts';
import { createKeyUses, createKnownKeys } from '../people/keys/calling-key.ts';
import type { DashboardSession } from '../people/sessions/dashboard-session.entity.ts';
import { findSession, touchSession } from '../people/sessions/dashboard-session.service.ts';
import { inTransaction } from '../platform/database/transaction.ts';
import { calledOperation } from './called-operation.ts';
import { credentialHash, type KnownCredentials } from './known-credentials.ts';
import { sessionCookieName, sessionTokenOf } from './session-cookie.ts';

interface SecurityOptions {
  operations: Operations;
  limits: RateLimits;
  known: KnownCredentials;
}

export function authenticate(model: Model, { operations, limits, known }: SecurityOptions): RequestHandler {
  const shared: SharedState = {
    limits,
    known,
    keys: { uses: createKeyUses(), known: createKnownKeys() },
    mayBeKnown: ({ id }) => operations[id].checksKey === true,
  };
  return async (request, response, next) => {
    const operation = calledOperation(request, model);
    if (operation && operation.security.length > 0) {
      const call = { ...shared, request, operation, context: request.context };
      const principal = await callerOf(call);
      // Counted before the scope and the role are checked, so that refused calls count, too.
      request.isCounted = true;
      const state = await limits.count(principal.mode, countedAs(principal));
      if (state) response.set(rateHeaders(state));
      requireRights(principal, operation);
      request.principal = principal;
      request.context = { ...request.context, checkCallerAgain: () => checkAgain(call) };
    }
    next();
  };
}

/** A request with an API key is never authenticated by its session. */
async function callerOf(call: Call): Promise<Principal> {
  const { request, operation } = call;
  const { headers } = request;
  const schemes = operation.security.flat();
  if (headers['x-api-key'] && takesKeyHeader(operation)) return byKeyHeader(call);
  const bearer = schemes.includes('bearerAuth') ? bearerKey(headers) : undefined;
  if (bearer !== undefined) return byKey(call, bearer);
  const token = schemes.includes('dashboardSession') && !bringsKey(headers) && sessionTokenOf(request);
  if (token) return bySession(call, token);
  throw new AppError(...missingCredential(headers, operation));
}

async function checkAgain(call: Call): Promise<void> {
  const context = withFreshEntityManager(call.context);
  requireRights(await callerOf({ ...call, context, mayBeKnown: () => false }), call.operation);
}

export function challenge(failure: AppError, operation: ModelOperation | undefined, publicUrl: string): string {
  const header = failure.code === 'invalid_session' ? challenges.dashboardSession : challengeOf(operation);
  return header.replace(sessionCookie, sessionCookieName(publicUrl));
}

function requireRights(principal: Principal, { scope, roles, isBeforeTwoStep }: ModelOperation): void {
  if (scope) requireScope(principal, scope);
  requireRole(principal, roles);
  if (!isBeforeTwoStep) requireTwoStepSetUp(principal);
}

/** Choice: an operator has a separate rate limit, so that an operator does not use up the calls of a merchant. */
function countedAs({ merchantId, actor }: Principal): string {
  return actor.type === 'user' && actor.role === 'operator' ? `operator ${actor.userId}` : merchantId;
}

async function byKeyHeader(call: Call): Promise<Principal> {
  const { headers } = call.request;
  const error = differingKeys(headers);
  if (error) throw new AppError(...error);
  return byKey(call, String(headers['x-api-key']));
}

async function byKey(call: Call, key: string): Promise<Principal> {
  const mayBeKnown = call.mayBeKnown(call.operation);
  const hash = credentialHash(call.request, key);
  return identifyCountingErrors(call, hash, () => identify(call.context, { key, hash }, { ...call.keys, mayBeKnown }));
}

// The cookie alone is not enough: a form or a link of another site sends the cookie, but cannot send `X-Service-Mode`.
// See docs/decisions/auth.md, "A session is a cookie and a header together".
async function bySession(call: Call, token: string): Promise<Principal> {
  const { request, context } = call;
  const { headers } = request;
  const { 'x-service-mode': mode, 'x-service-merchant': merchantId } = headers;
  if (isCrossSite(headers)) throw new AppError(...otherSite);
  if (mode !== 'test' && mode !== 'live') {
    throw new AppError(...noMode);
  }
  return identifyCountingErrors(call, credentialHash(request, token), async () => {
    const session = await visitSession(context, token);
    return identifyUser(context, session, { mode, merchantId: merchantId?.toString() });
  });
}

/** Records that the session was used, so that the session does not expire for lack of use. */
async function visitSession(context: Context, token: string): Promise<DashboardSession | null> {
  const session = token ? await findSession(context, token) : null;
  if (session && !session.isUseRecorded(context.clock.now())) {
    // A separate entity manager, because the request's entity manager belongs to the operation's transaction.
    await inTransaction(withFreshEntityManager(context), (tx) => touchSession(tx, session));
  }
  return session;
}

const wrongCredentialCodes: unknown[] = ['invalid_api_key', 'invalid_session'];

interface SharedState {
  limits: RateLimits;
  known: KnownCredentials;
  keys: KeyLookUp;
  /** True for operations that check the API key in the database again when they write. */
  mayBeKnown(operation: ModelOperation): boolean;
}

interface Call extends SharedState {
  request: Request;
  operation: ModelOperation;
  context: Context;
}

/**
 * Choice: when a network has used up its limit of wrong credentials, a credential that this process knows still passes.
 * See docs/decisions/auth.md, "A network that sends wrong keys is refused without a look-up".
 */
async function identifyCountingErrors(
  { request, limits, known }: Call,
  hash: string,
  identified: () => Promise<Principal>,
): Promise<Principal> {
  const network = networkOf(request.ip);
  if (!known.has(hash)) limits.refuseUsedUp('refused_key', network);
  try {
    const principal = await identified();
    known.add(hash);
    return principal;
  } catch (error) {
    if (!(error instanceof AppError && wrongCredentialCodes.includes(error.code))) throw error;
    known.remove(hash);
    request.isCounted = true;
    await limits.count('refused_key', network);
    throw error;
  }
}
