/**
 * Authenticates the caller and checks what the caller may do: key or session, suspension, rate limit, scope and role,
 * in this order. The validator calls it when the body was read, and before it checks the input. The validator keeps
 * only the status of a refusal, and would report an unreachable database as a wrong key. So the reason is stored on
 * the request, where the error handler finds it.
 */
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Model, ModelOperation, SchemeName } from '@tillhook/openapi';
import {
  bearerKey,
  bringsKey,
  challengeOf,
  challenges,
  differingKeys,
  isCrossSite,
  takesKeyHeader,
} from '@tillhook/openapi/refusals/credentials';
import { noMode, otherSite } from '@tillhook/openapi/refusals/sentences';
import {
  identify,
  identifyUser,
  type KeyLookUp,
  requireRole,
  requireScope,
  requireTwoStepSetUp,
} from '../auth/auth.service.ts';
import { createKeyUses } from '../auth/keys/key-use.ts';
import { createKnownKeys } from '../auth/keys/known-keys.ts';
import { visitSession } from '../auth/sessions/session-visit.ts';
import type { Context, Principal } from '../context.ts';
import { AppError } from '../kit/errors.ts';
import { networkOf } from '../kit/network-of.ts';
import type { Operations } from '../operation/operation.ts';
import { type RateLimits, rateHeaders } from '../operation/rate-limits.ts';
import { askedOperation } from './asked-operation.ts';
import { createKnownCredentials, type KnownCredentials } from './known-credentials.ts';
import { sessionTokenOf } from './session-cookie.ts';

/** The fields of a request from which credentials are read, and those in which the result is stored. */
interface RequestWithCredentials {
  headers: IncomingHttpHeaders;
  cookies?: Record<string, unknown>;
  ip?: string;
  res?: ServerResponse;
  context: Context;
  principal?: Principal;
  refusal?: unknown;
}

type SecurityHandler = (request: RequestWithCredentials) => Promise<boolean>;

/** One handler for each security scheme of the contract. */
export function securityHandlers(
  model: Model,
  { operations, limits }: { operations: Operations; limits: RateLimits },
): Record<SchemeName, SecurityHandler> {
  const shared: SharedState = {
    limits,
    known: createKnownCredentials(),
    keys: { uses: createKeyUses(), known: createKnownKeys() },
    mayBeKnown: (request) => {
      const operation = askedOperation(request, model);
      return operation !== undefined && operations[operation.id].checksKey === true;
    },
  };
  const accept = async (request: RequestWithCredentials, identified: Promise<Principal>) => {
    try {
      const principal = await identified;
      await countCall(request, principal, limits);
      requireRights(principal, askedOperation(request, model));
      request.principal = principal;
      return true;
    } catch (error) {
      request.refusal = error;
      return false;
    }
  };
  return {
    apiKeyHeader: (request) => accept(request, byKeyHeader(request, shared)),
    // The validator calls the handlers of both headers. When both are sent, the one above decides, so that the call is
    // counted once.
    bearerAuth: async (request) =>
      !(request.headers['x-api-key'] && takesKeyHeader(askedOperation(request, model))) &&
      accept(request, byKey(request, bearerKey(request.headers) ?? '', shared)),
    // When a request has a key and a session, the key is used.
    dashboardSession: async (request) => !bringsKey(request.headers) && accept(request, bySession(request, shared)),
    // `bySession` reads this header. Without a session it identifies no caller.
    serviceMode: async () => true,
  };
}

/** The value of `WWW-Authenticate` for a refused request. */
export function challenge({ refusal }: RequestWithCredentials, operation: ModelOperation | undefined): string {
  const wasSession = refusal instanceof AppError && refusal.code === 'invalid_session';
  return wasSession ? challenges.dashboardSession : challengeOf(operation);
}

async function countCall(request: RequestWithCredentials, principal: Principal, limits: RateLimits): Promise<void> {
  const state = await limits.count(principal.mode, countedAs(principal));
  if (state) request.res?.setHeaders(new Headers(rateHeaders(state)));
}

function requireRights(principal: Principal, operation: ModelOperation | undefined): void {
  if (operation?.scope) requireScope(principal, operation.scope);
  requireRole(principal, operation?.roles ?? []);
  if (!operation?.isBeforeTwoStep) requireTwoStepSetUp(principal);
}

/** Choice: an operator has a separate limit, because looking at a merchant must not use up the merchant's calls. */
function countedAs({ merchantId, actor }: Principal): string {
  return actor.type === 'user' && actor.role === 'operator' ? `operator ${actor.userId}` : merchantId;
}

async function byKeyHeader(request: RequestWithCredentials, shared: SharedState): Promise<Principal> {
  const refusal = differingKeys(request.headers);
  if (refusal) throw new AppError(...refusal);
  return byKey(request, String(request.headers['x-api-key']), shared);
}

async function byKey(request: RequestWithCredentials, key: string, shared: SharedState): Promise<Principal> {
  return identifyCountingRefusals({ ...shared, request, credential: key }, () =>
    identify(request.context, key, { ...shared.keys, mayBeKnown: shared.mayBeKnown(request) }),
  );
}

/**
 * Another site cannot send the header. If the cookie were enough, a link or a form of another site could make a call
 * in the name of the user.
 * See docs/decisions/auth.md, "A session is a cookie and a header together".
 */
async function bySession(request: RequestWithCredentials, shared: SharedState): Promise<Principal> {
  const { 'x-service-mode': mode, 'x-service-merchant': merchantId } = request.headers;
  if (isCrossSite(request.headers)) throw new AppError(...otherSite);
  if (mode !== 'test' && mode !== 'live') {
    throw new AppError(...noMode);
  }
  const token = sessionTokenOf(request);
  return identifyCountingRefusals({ ...shared, request, credential: token }, async () => {
    const session = await visitSession(request.context, token);
    return identifyUser(request.context, session, { mode, merchantId: merchantId?.toString() });
  });
}

/** The errors that are counted as wrong credentials. */
const wrongCredentialCodes: unknown[] = ['invalid_api_key', 'invalid_session'];

/** What the checks of all requests share. */
interface SharedState {
  limits: RateLimits;
  known: KnownCredentials;
  keys: KeyLookUp;
  /** Whether the operation that is called checks the key again when it writes. */
  mayBeKnown(request: object): boolean;
}

/** A check of one credential. */
interface CredentialCheck extends SharedState {
  request: RequestWithCredentials;
  credential: string;
}

/**
 * A network that sends many wrong credentials gets 429. When this process knows that the limit of a network is used
 * up, it answers without a query.
 * Choice: a credential that was valid in this process before still passes. A credential that is new to this process
 * is refused too, because only the query could show whether it is valid. Valid credentials are never counted, so a
 * network may use any number of them.
 * See docs/decisions/auth.md, "A network that sends wrong keys is refused without a look-up".
 */
async function identifyCountingRefusals(
  { request, credential, limits, known }: CredentialCheck,
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
    await limits.count('refused_key', network);
    throw error;
  }
}
