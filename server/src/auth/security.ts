/**
 * Who is calling, and whether they may: key, suspension, rate limit and scope, in this order, once the body was read and
 * before anything of the request is held to the contract. The validator keeps only the status of a refusal, and would take a
 * database that is down for a bad key, so the reason is left on the request for the error handler.
 */
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Context, Principal } from '../context.ts';
import { type RateLimits, rateHeaders } from '../http/rate-limits.ts';
import { AppError } from '../kit/errors.ts';
import type { Scope } from '../kit/scope.ts';
import { identify, requireScope } from './auth.service.ts';

/** What of a request the credentials are read from, and where the answer is left. */
interface Credentialed {
  headers: IncomingHttpHeaders;
  ip?: string;
  res?: ServerResponse;
  context: Context;
  principal?: Principal;
  refusal?: unknown;
  openapi?: { schema?: OperationSecurity };
}

interface OperationSecurity {
  security?: Record<string, unknown>[];
  'x-required-scope'?: Scope;
}

type SecurityHandler = (request: Credentialed) => Promise<boolean>;

/** One handler for each security scheme of the contract. */
export function securityHandlers(limits: RateLimits): Record<'apiKeyHeader' | 'bearerAuth', SecurityHandler> {
  const accept = async (request: Credentialed, key: string) => {
    try {
      request.principal = await admit(request, key, limits);
      return true;
    } catch (error) {
      request.refusal = error;
      return false;
    }
  };
  return {
    apiKeyHeader: (request) => accept(request, String(request.headers['x-api-key'] ?? '')),
    bearerAuth: (request) => accept(request, bearerToken(request)),
  };
}

/** Why a request that gave no usable credential to the scheme it needed was refused. */
export function missingCredential(request: Credentialed): AppError {
  const scheme = expectedScheme(request);
  const sentOther = scheme === 'x-api-key' ? request.headers.authorization : request.headers['x-api-key'];
  if (sentOther === undefined) return new AppError('missing_api_key', 'This operation needs an API key');
  const hint = scheme === 'x-api-key' ? 'in the header "x-api-key"' : 'as "Authorization: Bearer <API_KEY>"';
  return new AppError('wrong_auth_header', `Send the API key of this operation ${hint}`);
}

/** The value of `WWW-Authenticate` for a refused request. */
export function challenge(request: Credentialed): string {
  return expectedScheme(request) === 'x-api-key'
    ? 'ApiKey realm="tillhook", header="x-api-key"'
    : 'Bearer realm="tillhook"';
}

async function admit(request: Credentialed, key: string, limits: RateLimits): Promise<Principal> {
  const principal = await identified(request, key, limits);
  const state = await limits.count(principal.mode, principal.merchantId);
  if (state) request.res?.setHeaders(new Headers(rateHeaders(state)));
  const scope = request.openapi?.schema?.['x-required-scope'];
  if (scope) requireScope(principal, scope);
  return principal;
}

/** Whoever tries many keys from one address is told to wait; an address with a good key is never held back by that. */
async function identified(request: Credentialed, key: string, limits: RateLimits): Promise<Principal> {
  try {
    return await identify(request.context, key);
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_api_key') {
      await limits.count('refused_key', request.ip ?? '');
    }
    throw error;
  }
}

function bearerToken(request: Credentialed): string {
  return /^Bearer +([^ ]+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
}

function expectedScheme(request: Credentialed): 'x-api-key' | 'bearer' {
  const { security } = request.openapi?.schema ?? {};
  return security?.some((scheme) => 'apiKeyHeader' in scheme) ? 'x-api-key' : 'bearer';
}
