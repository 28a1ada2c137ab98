/** The errors of server and mock for calls without a credential that the operation accepts. */
import type { IncomingHttpHeaders } from 'node:http';
import type { ModelOperation, SchemeName } from '../model/model.ts';
import type { Sentence } from './sentences.ts';

export const sessionCookie = 'tillhook_session';

type Scheme = Exclude<SchemeName, 'serviceMode'>;

/** The value of `WWW-Authenticate` for each security scheme. */
export const challenges: Readonly<Record<Scheme, string>> = {
  apiKeyHeader: 'ApiKey realm="tillhook", header="x-api-key"',
  bearerAuth: 'Bearer realm="tillhook"',
  dashboardSession: `Cookie realm="tillhook", cookie-name="${sessionCookie}"`,
};

/** If the operation accepts an API key or a session, the challenge names only the schemes of the API key. */
export function challengeOf(operation: ModelOperation | undefined): string {
  if (isForPeople(operation)) return challenges.dashboardSession;
  const { bearerAuth, apiKeyHeader } = challenges;
  return takesKeyHeader(operation) ? `${bearerAuth}, ${apiKeyHeader}` : bearerAuth;
}

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

export function takesKeyHeader(operation: ModelOperation | undefined): boolean {
  return operation?.security.flat().includes('apiKeyHeader') ?? false;
}

/** Undefined when the header `Authorization` has another scheme; an empty text when the key is malformed. */
export function bearerKey({ authorization = '' }: IncomingHttpHeaders): string | undefined {
  if (!/bearer/i.test(authorization)) return undefined;
  return /^Bearer +([^ ]+)$/i.exec(authorization)?.[1] ?? '';
}

/** See docs/decisions/auth.md, "Two keys in one call must be the same". */
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
 * Browsers send `Sec-Fetch-Site` only to HTTPS and localhost. `Origin` is no substitute, because our referrer policy
 * makes `Origin` `null`.
 */
export function isCrossSite(headers: IncomingHttpHeaders): boolean {
  return headers['sec-fetch-site'] === 'cross-site';
}
