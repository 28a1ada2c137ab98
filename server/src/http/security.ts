/**
 * Who is calling, and whether they may: key or session, suspension, rate limit, scope and role, in this order, once the body was
 * read and before the request is checked against the contract. The validator keeps only the status of a refusal, and would
 * report an unreachable database as a bad key, so the reason is left on the request for the error handler.
 */
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Model, ModelOperation, SchemeName } from '@tillhook/openapi';
import { bringsKey, challenges, expectedScheme, isCrossSite } from '@tillhook/openapi/refusals/credentials';
import { noMode, otherSite } from '@tillhook/openapi/refusals/sentences';
import { identify, identifyUser, requireRole, requireScope, requireTwoStepSetUp } from '../auth/auth.service.ts';
import { createKeyUses, type KeyUses } from '../auth/keys/key-use.ts';
import { visitSession } from '../auth/sessions/session-visit.ts';
import type { Context, Principal } from '../context.ts';
import { AppError } from '../kit/errors.ts';
import { networkOf } from '../kit/network-of.ts';
import { type RateLimits, rateHeaders } from '../operation/rate-limits.ts';
import { askedOperation } from './asked-operation.ts';
import { createKnownCredentials, type KnownCredentials } from './known-credentials.ts';
import { sessionTokenOf } from './session-cookie.ts';

/** What of a request the credentials are read from, and where the answer is left. */
interface Credentialed {
  headers: IncomingHttpHeaders;
  cookies?: Record<string, unknown>;
  ip?: string;
  res?: ServerResponse;
  context: Context;
  principal?: Principal;
  refusal?: unknown;
}

type SecurityHandler = (request: Credentialed) => Promise<boolean>;

/** One handler for each security scheme of the contract. */
export function securityHandlers(model: Model, limits: RateLimits): Record<SchemeName, SecurityHandler> {
  const guard = { limits, known: createKnownCredentials(), keyUses: createKeyUses() };
  const accept = async (request: Credentialed, identified: Promise<Principal>) => {
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
    apiKeyHeader: (request) => accept(request, byKey(request, String(request.headers['x-api-key'] ?? ''), guard)),
    bearerAuth: (request) => accept(request, byKey(request, bearerToken(request), guard)),
    // A call that brings a key means the key, also from a browser that is signed in.
    dashboardSession: async (request) => !bringsKey(request.headers) && accept(request, bySession(request, guard)),
    // `bySession` reads this header. Alone it identifies nobody.
    serviceMode: async () => true,
  };
}

/** The value of `WWW-Authenticate` for a refused request. */
export function challenge({ refusal }: Credentialed, operation: ModelOperation | undefined): string {
  const wasSession = refusal instanceof AppError && refusal.code === 'invalid_session';
  return challenges[wasSession ? 'dashboardSession' : expectedScheme(operation)];
}

async function countCall(request: Credentialed, principal: Principal, limits: RateLimits): Promise<void> {
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

async function byKey(request: Credentialed, key: string, guard: Guard): Promise<Principal> {
  return countingRefusals({ ...guard, request, credential: key }, () => identify(request.context, key, guard.keyUses));
}

/**
 * The header is what no other site can send: with the cookie alone, a link or a form of theirs would be a call of ours.
 * See docs/decisions/auth.md, "A session is a cookie and a header together".
 */
async function bySession(request: Credentialed, guard: Guard): Promise<Principal> {
  const { 'x-service-mode': mode, 'x-service-merchant': merchantId } = request.headers;
  if (isCrossSite(request.headers)) throw new AppError(...otherSite);
  if (mode !== 'test' && mode !== 'live') {
    throw new AppError(...noMode);
  }
  const token = sessionTokenOf(request);
  return countingRefusals({ ...guard, request, credential: token }, async () => {
    const session = await visitSession(request.context, token);
    return identifyUser(request.context, session, { mode, merchantId: merchantId?.toString() });
  });
}

const guesses: unknown[] = ['invalid_api_key', 'invalid_session'];

interface Guard {
  limits: RateLimits;
  known: KnownCredentials;
  keyUses: KeyUses;
}

interface Try extends Guard {
  request: Credentialed;
  credential: string;
}

/**
 * A network that sends many wrong keys gets 429. Once this process knows that its limit is used up, it answers without asking
 * the database. Choice:
 * a credential that was valid before still passes from there, and one that is new to this process waits too, because only the
 * look-up could tell it from a guess. Valid ones are never counted, so that a network may use any number of them.
 * See docs/decisions/auth.md, "A network that sends wrong keys is refused without a look-up".
 */
async function countingRefusals(
  { request, credential, limits, known }: Try,
  identified: () => Promise<Principal>,
): Promise<Principal> {
  const network = networkOf(request.ip);
  if (!known.has(credential)) limits.refuseUsedUp('refused_key', network);
  try {
    const principal = await identified();
    known.add(credential);
    return principal;
  } catch (error) {
    if (!(error instanceof AppError && guesses.includes(error.code))) throw error;
    known.remove(credential);
    await limits.count('refused_key', network);
    throw error;
  }
}

function bearerToken(request: Credentialed): string {
  return /^Bearer +([^ ]+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
}
