/** What server and mock answer when a call has no credential that the operation takes. */
import type { IncomingHttpHeaders } from 'node:http';
import type { ModelOperation, SchemeName } from '../model/model.ts';
import type { Sentence } from './sentences.ts';

/** The cookie of the scheme `dashboardSession`. */
export const sessionCookie = 'tillhook_session';

type Scheme = Exclude<SchemeName, 'serviceMode'>;

/** The values of `WWW-Authenticate`. */
export const challenges: Readonly<Record<Scheme, string>> = {
  apiKeyHeader: 'ApiKey realm="tillhook", header="x-api-key"',
  bearerAuth: 'Bearer realm="tillhook"',
  dashboardSession: `Cookie realm="tillhook", cookie-name="${sessionCookie}"`,
};

/** The value of `WWW-Authenticate` for an operation. When it takes a key or a session, the schemes of the key. */
export function challengeOf(operation: ModelOperation | undefined): string {
  if (isForPeople(operation)) return challenges.dashboardSession;
  const { bearerAuth, apiKeyHeader } = challenges;
  return takesKeyHeader(operation) ? `${bearerAuth}, ${apiKeyHeader}` : bearerAuth;
}

/** The error for a request that has no usable credential for the operation. */
export function missingCredential(headers: IncomingHttpHeaders, operation: ModelOperation | undefined): Sentence {
  if (isForPeople(operation)) {
    return bringsKey(headers)
      ? ['wrong_auth_header', 'This operation takes the session of the dashboard and no API key']
      : ['invalid_session', 'Sign in first: there is no session'];
  }
  return headers['x-api-key'] === undefined || takesKeyHeader(operation)
    ? ['missing_api_key', 'This operation needs an API key']
    : ['wrong_auth_header', 'Send the API key of this operation as "Authorization: Bearer <API_KEY>"'];
}

/** True if the operation takes the key in `x-api-key` too. */
export function takesKeyHeader(operation: ModelOperation | undefined): boolean {
  return operation?.security.flat().includes('apiKeyHeader') ?? false;
}

/** The key in `Authorization`: undefined if the header has another scheme, and empty if it has no valid key. */
export function bearerKey({ authorization = '' }: IncomingHttpHeaders): string | undefined {
  if (!/bearer/i.test(authorization)) return undefined;
  return /^Bearer +([^ ]+)$/i.exec(authorization)?.[1] ?? '';
}

/**
 * The error for a request with a key in `x-api-key` and another one in `Authorization`; undefined if both are equal,
 * or if one is missing.
 * See docs/decisions/auth.md, "Two keys in one call must be the same".
 */
export function differingKeys(headers: IncomingHttpHeaders): Sentence | undefined {
  const bearer = bearerKey(headers);
  if (bearer === undefined || bearer === headers['x-api-key']) return undefined;
  return ['wrong_auth_header', 'The headers "Authorization" and "x-api-key" have different API keys; send only one'];
}

function isForPeople(operation: ModelOperation | undefined): boolean {
  return operation?.security.every((schemes) => schemes.includes('dashboardSession')) ?? false;
}

export function bringsKey(headers: IncomingHttpHeaders): boolean {
  return headers.authorization !== undefined || headers['x-api-key'] !== undefined;
}

/**
 * True when the browser says that another site made the call, which browsers say only to HTTPS and to localhost. `Origin`
 * cannot say it, because our own referrer policy makes it `null`.
 */
export function isCrossSite(headers: IncomingHttpHeaders): boolean {
  return headers['sec-fetch-site'] === 'cross-site';
}
