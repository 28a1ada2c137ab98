/** Whether a request brings what lets a caller in. Any key of either mode will do and any session; whose they are is not asked. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Model, ModelOperation } from '@tillhook/openapi';
import { Refusal } from './refusal.ts';

export type Mode = 'test' | 'live';

/** Gives the mode that the call is about, null where anybody may call. Throws what the service answers to the others. */
export type Admission = (operation: ModelOperation, headers: IncomingHttpHeaders) => Mode | null;

export function createAdmission({ title }: Model): Admission {
  const challenges = challengesOf(title);
  return (operation, headers) => {
    if (operation.security.length === 0) return null;
    const expected = expectedScheme(operation);
    try {
      return allowedMode(operation, modeOf(operation, headers) ?? refuse(missing(expected, headers)));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (refusedAll.has(error.code)) throw error;
      const scheme = error.code === 'invalid_session' ? 'dashboardSession' : expected;
      Object.assign(error.headers, { 'WWW-Authenticate': challenges[scheme] });
      throw error;
    }
  };
}

/** A page of another site is refused where no credential is asked for either. */
export function refuseOtherSites(headers: IncomingHttpHeaders): void {
  if (headers['sec-fetch-site'] === 'cross-site') {
    throw new Refusal('cross_site_request', 'No call of another site is taken here');
  }
}

/** What no other credential would change, so that no challenge goes with it. */
const refusedAll: ReadonlySet<string> = new Set(['cross_site_request', 'test_mode_only']);

type Scheme = 'apiKeyHeader' | 'bearerAuth' | 'dashboardSession';

const sessionCookie = 'tillhook_session';

function allowedMode({ answers }: ModelOperation, mode: Mode): Mode {
  if (mode === 'live' && answers.get(403)?.content?.examples.has('testModeOnly')) {
    throw new Refusal('test_mode_only', 'This operation works in test mode only');
  }
  return mode;
}

function modeOf({ security }: ModelOperation, headers: IncomingHttpHeaders): Mode | undefined {
  const taken: ReadonlySet<string> = new Set(security.flat());
  const key = keyIn(headers, taken);
  if (key !== undefined) return modeOfKey(key);
  if (!taken.has('dashboardSession') || bringsKey(headers)) return undefined;
  return hasSession(headers) ? modeOfSession(headers) : undefined;
}

function keyIn(headers: IncomingHttpHeaders, taken: ReadonlySet<string>): string | undefined {
  if (taken.has('apiKeyHeader') && headers['x-api-key']) return String(headers['x-api-key']);
  if (!taken.has('bearerAuth') || !/bearer/i.test(headers.authorization ?? '')) return undefined;
  return /^Bearer +([^ ]+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
}

function modeOfKey(key: string): Mode {
  const [, mode] = /^sk_(test|live)_[0-9A-Za-z_]+$/.exec(key) ?? [];
  if (!mode) throw new Refusal('invalid_api_key', 'This API key is not valid');
  return mode as Mode;
}

function modeOfSession(headers: IncomingHttpHeaders): Mode {
  refuseOtherSites(headers);
  const { 'x-service-mode': mode } = headers;
  if (mode === 'test' || mode === 'live') return mode;
  throw new Refusal('cross_site_request', 'A call with a session needs the header X-Service-Mode: test or live');
}

function hasSession({ cookie = '' }: IncomingHttpHeaders): boolean {
  return cookie
    .split(/; */)
    .some((pair) => pair.startsWith(`${sessionCookie}=`) && pair.length > sessionCookie.length + 1);
}

function bringsKey(headers: IncomingHttpHeaders): boolean {
  return headers.authorization !== undefined || headers['x-api-key'] !== undefined;
}

function expectedScheme({ security }: ModelOperation): Scheme {
  if (security.some((schemes) => schemes.includes('apiKeyHeader'))) return 'apiKeyHeader';
  return security.every((schemes) => schemes.includes('dashboardSession')) ? 'dashboardSession' : 'bearerAuth';
}

function missing(expected: Scheme, headers: IncomingHttpHeaders): Refusal {
  if (expected === 'dashboardSession') {
    return bringsKey(headers)
      ? new Refusal('wrong_auth_header', 'This operation takes the session of the dashboard and no API key')
      : new Refusal('invalid_session', 'Sign in first: there is no session');
  }
  const sentOther = expected === 'apiKeyHeader' ? headers.authorization : headers['x-api-key'];
  if (sentOther === undefined) return new Refusal('missing_api_key', 'This operation needs an API key');
  const hint = expected === 'apiKeyHeader' ? 'in the header "x-api-key"' : 'as "Authorization: Bearer <API_KEY>"';
  return new Refusal('wrong_auth_header', `Send the API key of this operation ${hint}`);
}

function refuse(refusal: Refusal): never {
  throw refusal;
}

/** The values of `WWW-Authenticate`. */
function challengesOf(title: string): Record<Scheme, string> {
  const realm = `realm="${title.toLowerCase()}"`;
  return {
    apiKeyHeader: `ApiKey ${realm}, header="x-api-key"`,
    bearerAuth: `Bearer ${realm}`,
    dashboardSession: `Cookie ${realm}, cookie-name="${sessionCookie}"`,
  };
}
