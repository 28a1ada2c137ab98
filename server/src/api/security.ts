/**
 * Authenticates the caller and checks what the caller may do: key or session, suspension, rate limit, scope and role,
 * in this order. This step runs after the body was read and the operation was found, and before the input is checked.
 * See docs/decisions/requests.md, "The caller is authenticated by our own step".
 */
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
import type { KnownCredentials } from './known-credentials.ts';
import { sessionCookieName, sessionTokenOf } from './session-cookie.ts';

interface SecurityOptions {
  operations: Operations;
  limits: RateLimits;
  known: KnownCredentials;
}

/** Sets the `principal` of a request whose operation needs a credential. All other requests pass. */
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

/**
 * Identifies the caller by the first credential that the operation takes: the key in `x-api-key`, the key in
 * `Authorization`, or the session, which counts only for a request without a key.
 */
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

/** Identifies the caller again, from the current rows in the database. */
async function checkAgain(call: Call): Promise<void> {
  const context = withFreshEntityManager(call.context);
  requireRights(await callerOf({ ...call, context, mayBeKnown: () => false }), call.operation);
}

/** The value of `WWW-Authenticate` for a refused request. */
export function challenge(failure: AppError, operation: ModelOperation | undefined, publicUrl: string): string {
  const header = failure.code === 'invalid_session' ? challenges.dashboardSession : challengeOf(operation);
  return header.replace(sessionCookie, sessionCookieName(publicUrl));
}

function requireRights(principal: Principal, { scope, roles, isBeforeTwoStep }: ModelOperation): void {
  if (scope) requireScope(principal, scope);
  requireRole(principal, roles);
  if (!isBeforeTwoStep) requireTwoStepSetUp(principal);
}

/**
 * The key under which a call is counted in the rate limit. Choice: an operator has a separate limit, because an
 * operator who looks at a merchant must not use up the merchant's calls.
 */
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
  return identifyCountingErrors(call, key, () => identify(call.context, key, { ...call.keys, mayBeKnown }));
}

/**
 * Identifies the caller by a session. The header `X-Service-Mode` is required, because another site cannot send it. If
 * the cookie alone were enough, a link or a form of another site could make a call in the name of the user.
 * See docs/decisions/auth.md, "A session is a cookie and a header together".
 */
async function bySession(call: Call, token: string): Promise<Principal> {
  const { request, context } = call;
  const { headers } = request;
  const { 'x-service-mode': mode, 'x-service-merchant': merchantId } = headers;
  if (isCrossSite(headers)) throw new AppError(...otherSite);
  if (mode !== 'test' && mode !== 'live') {
    throw new AppError(...noMode);
  }
  return identifyCountingErrors(call, token, async () => {
    const session = await visitSession(context, token);
    return identifyUser(context, session, { mode, merchantId: merchantId?.toString() });
  });
}

/**
 * Finds the session of a token, and saves that the session was used, so that it does not end as unused. Returns null
 * when the session has ended or never existed.
 */
async function visitSession(context: Context, token: string): Promise<DashboardSession | null> {
  const session = token ? await findSession(context, token) : null;
  if (session && !session.isUseRecorded(context.clock.now())) {
    // Uses a separate entity manager, because the request's entity manager belongs to the operation's transaction.
    await inTransaction(withFreshEntityManager(context), (tx) => touchSession(tx, session));
  }
  return session;
}

/** The errors that are counted as wrong credentials. */
const wrongCredentialCodes: unknown[] = ['invalid_api_key', 'invalid_session'];

/** The state that the checks of all requests share. */
interface SharedState {
  limits: RateLimits;
  known: KnownCredentials;
  keys: KeyLookUp;
  /** Whether the key may be taken from memory, because the operation checks the key again when it writes. */
  mayBeKnown(operation: ModelOperation): boolean;
}

/** A request whose caller must be identified. */
interface Call extends SharedState {
  request: Request;
  operation: ModelOperation;
  context: Context;
}

/**
 * Identifies the caller, and counts wrong credentials. A network that sends many wrong credentials gets 429. When this
 * process knows that the limit of a network is used up, it answers without a query. Choice: a credential that was
 * valid in this process before still passes. A credential that is new to this process is refused too, because only a
 * query could show whether this credential is valid. Valid credentials are never counted, so a network may use any
 * number of valid credentials.
 * See docs/decisions/auth.md, "A network that sends wrong keys is refused without a look-up".
 */
async function identifyCountingErrors(
  { request, limits, known }: Call,
  credential: string,
  identified: () => Promise<Principal>,
): Promise<Principal> {
  const network = networkOf(request.ip);
  if (!known.has(credential)) limits.refuseUsedUp('refused_key', network);
  try {
    const principal = await identified();
    known.add(credential);
    return principal;
  } catch (error) {
    if (!(error instanceof AppError && wrongCredentialCodes.includes(error.code))) throw error;
    known.remove(credential);
    request.isCounted = true;
    await limits.count('refused_key', network);
    throw error;
  }
}
