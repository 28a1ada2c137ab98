/**
 * Calls that are refused count towards a limit too, because refusing costs work, and a caller needs no API key for it.
 * See docs/decisions/requests.md, "Refused calls are counted too".
 */
import type { Model } from '@tillhook/openapi';
import { bearerKey } from '@tillhook/openapi/rules/credentials';
import type { Request, RequestHandler } from 'express';
import { networkOf } from '../kit/network-of.ts';
import type { RateLimits } from '../operation/rate-limits.ts';
import { credentialHash, type KnownCredentials } from './known-credentials.ts';
import { sessionTokenOf } from './session-cookie.ts';

declare module 'express-serve-static-core' {
  interface Request {
    /** Whether the rate limit of the merchant, or of wrong credentials, has counted this call. */
    isCounted?: boolean;
  }
}

export interface RefusedCalls {
  refuseUsedUp: RequestHandler;
  /** Throws when the limit of refused calls is exceeded. The limits of sign-ins count a failed sign-in as well. */
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
 * Calls of public operations and calls with a credential have separate counts, so that a program that sends wrong calls
 * does not block the sign-ins of its network.
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
    const hash = credential && credentialHash(request, credential);
    return known.has(hash) ? hash : `${networkOf(request.ip)} ${kindOf(request, credential)}`;
  };
}

function credentialIn(request: Request): string {
  const { headers } = request;
  return headers['x-api-key']?.toString() ?? bearerKey(headers) ?? sessionTokenOf(request);
}
