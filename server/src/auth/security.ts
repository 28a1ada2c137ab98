import type { IncomingHttpHeaders } from 'node:http';
import type { Context, Principal } from '../context.ts';
import { AppError } from '../kit/errors.ts';
import { identify } from './auth.service.ts';

/** What of a request the credentials are read from, and where the answer is left. */
interface Credentialed {
  headers: IncomingHttpHeaders;
  context: Context;
  principal?: Principal;
  refusal?: unknown;
}

/**
 * One handler for each security scheme of the contract. The validator keeps only the status of a refusal, and would take
 * a database that is down for a bad key, so the reason is left on the request for the error handler.
 */
export const securityHandlers = {
  apiKeyHeader: (request: Credentialed) => accept(request, String(request.headers['x-api-key'] ?? '')),
  bearerAuth: (request: Credentialed) => accept(request, bearerToken(request)),
};

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

async function accept(request: Credentialed, key: string): Promise<boolean> {
  try {
    request.principal = await identify(request.context, key);
    return true;
  } catch (error) {
    request.refusal = error;
    return false;
  }
}

function bearerToken(request: Credentialed): string {
  return /^Bearer +([^ ]+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
}

function expectedScheme(request: Credentialed): 'x-api-key' | 'bearer' {
  const schema = (request as { openapi?: { schema?: { security?: Record<string, unknown>[] } } }).openapi?.schema;
  return schema?.security?.some((scheme) => 'apiKeyHeader' in scheme) ? 'x-api-key' : 'bearer';
}
