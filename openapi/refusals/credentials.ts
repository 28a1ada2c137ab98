/** What server and mock answer when a call has no credential that the operation takes. */
import type { IncomingHttpHeaders } from 'node:http';
import type { ModelOperation, SchemeName } from '../model.ts';
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

/** The scheme that a refusal names. When an operation takes a key or a session, this is the scheme of the key. */
export function expectedScheme(operation: ModelOperation | undefined): Scheme {
  const alternatives = operation?.security;
  if (alternatives?.some((schemes) => schemes.includes('apiKeyHeader'))) return 'apiKeyHeader';
  const isForPeople = alternatives?.every((schemes) => schemes.includes('dashboardSession')) ?? false;
  return isForPeople ? 'dashboardSession' : 'bearerAuth';
}

/** The refusal of a request that has no usable credential for the expected scheme. */
export function missingCredential(headers: IncomingHttpHeaders, expected: Scheme): Sentence {
  if (expected === 'dashboardSession') {
    return bringsKey(headers)
      ? ['wrong_auth_header', 'This operation takes the session of the dashboard and no API key']
      : ['invalid_session', 'Sign in first: there is no session'];
  }
  const sentOther = expected === 'apiKeyHeader' ? headers.authorization : headers['x-api-key'];
  if (sentOther === undefined) return ['missing_api_key', 'This operation needs an API key'];
  const hint = expected === 'apiKeyHeader' ? 'in the header "x-api-key"' : 'as "Authorization: Bearer <API_KEY>"';
  return ['wrong_auth_header', `Send the API key of this operation ${hint}`];
}

export function bringsKey(headers: IncomingHttpHeaders): boolean {
  return headers.authorization !== undefined || headers['x-api-key'] !== undefined;
}

/**
 * True when the browser says that another site made the call. `Origin` cannot say it, because our own referrer policy
 * makes it `null`.
 */
export function isCrossSite(headers: IncomingHttpHeaders): boolean {
  return headers['sec-fetch-site'] === 'cross-site';
}
