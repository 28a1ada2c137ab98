/**
 * Limits the calls that are refused before a merchant's limit counts them: a call whose body is too large or not JSON,
 * a call without a credential, a call of an unknown path, and a sign-in with invalid input. Refusing a call is work
 * too, and a caller needs no key to cause this work.
 * See docs/decisions/requests.md, "Refused calls are counted too".
 */
import type { Model } from '@tillhook/openapi';
import { bearerKey } from '@tillhook/openapi/rules/credentials';
import type { Request, RequestHandler } from 'express';
import { networkOf } from '../kit/network-of.ts';
import type { RateLimits } from '../operation/rate-limits.ts';
import type { KnownCredentials } from './known-credentials.ts';
import { sessionTokenOf } from './session-cookie.ts';

declare module 'express-serve-static-core' {
  interface Request {
    /** True when the limit of the caller's merchant, or the limit of wrong credentials, has counted this call. */
    isCounted?: boolean;
  }
}

export interface RefusedCalls {
  /** Refuses a call, before its body is read, if the caller has used up the limit. */
  refuseUsedUp: RequestHandler;
  /**
   * Counts a refused call, unless the limit of the caller's merchant or the limit of wrong credentials has counted it.
   * A failed sign-in is counted here and in the limits of the sign-in. Throws when the limit is exceeded.
   */
  count(request: Request, status: number): Promise<void>;
}

export function createRefusedCalls(
  model: Model,
  { limits, known }: { limits: RateLimits; known: KnownCredentials },
): RefusedCalls {
  const callerOf = callersOf(model, known);
  return {
    refuseUsedUp(request, _response, next) {
      limits.refuseUsedUp('refused_call', callerOf(request));
      next();
    },
    async count(request, status) {
      const isClientError = status >= 400 && status < 500 && status !== 429;
      if (!isClientError || request.isCounted || !request.originalUrl.startsWith('/api/')) return;
      await limits.count('refused_call', callerOf(request));
    },
  };
}

/**
 * Returns the function that finds the key under which a refused call is counted. The key is the id of the credential,
 * if this process knows that the credential is valid, and otherwise the network. A network has one count for calls
 * with a credential, one for calls without a credential, and one for each operation that needs no credential. So a
 * program that sends wrong calls without a credential does not block the sign-ins of its network, or a key that this
 * process does not know yet.
 */
function callersOf({ operations }: Model, known: KnownCredentials): (request: Request) => string {
  const open = new Set(
    operations.filter(({ security }) => security.length === 0).map(({ method, path }) => `${method} ${path}`),
  );
  const kindOf = ({ method, originalUrl }: Request, credential: string) => {
    const called = `${method.toLowerCase()} ${originalUrl.split('?', 1)}`;
    return open.has(called) ? called : credential && 'credential';
  };
  return (request) => {
    const credential = credentialIn(request);
    return known.idOf(credential) ?? `${networkOf(request.ip)} ${kindOf(request, credential)}`;
  };
}

function credentialIn(request: Request): string {
  const { headers } = request;
  return headers['x-api-key']?.toString() ?? bearerKey(headers) ?? sessionTokenOf(request);
}
