/** The mock has no merchants, so it accepts any API key of either mode and any session. */
import type { IncomingHttpHeaders } from 'node:http';
import type { ModelOperation } from '@tillhook/openapi';
import {
  bearerKey,
  bringsKey,
  challengeOf,
  challenges,
  differingKeys,
  isCrossSite,
  missingCredential,
  sessionCookie,
} from '@tillhook/openapi/rules/credentials';
import { noMode, otherSite, type Sentence } from '@tillhook/openapi/rules/sentences';
import { ApiError } from './api-error.ts';

export type Mode = 'test' | 'live';

/** The mode is null if the operation needs no credentials. */
export type Admission = (operation: ModelOperation, headers: IncomingHttpHeaders) => Mode | null;

export const admit: Admission = (operation, headers) => {
  if (operation.security.length === 0) return null;
  try {
    return allowedMode(operation, modeOf(operation, headers) ?? fail(missingCredential(headers, operation)));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (withoutChallenge.has(error.code)) throw error;
    const challenge = error.code === 'invalid_session' ? challenges.dashboardSession : challengeOf(operation);
    Object.assign(error.headers, { 'WWW-Authenticate': challenge });
    throw error;
  }
};

/** Codes of errors without a `WWW-Authenticate` challenge, because other credentials would not help. */
const withoutChallenge: ReadonlySet<string> = new Set(['cross_site_request', 'test_mode_only']);

function allowedMode({ answers }: ModelOperation, mode: Mode): Mode {
  if (mode === 'live' && answers.get(403)?.content?.examples.has('testModeOnly')) {
    throw new ApiError('test_mode_only', 'This operation works in test mode only');
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
  if (taken.has('apiKeyHeader') && headers['x-api-key']) {
    const problem = differingKeys(headers);
    return problem ? fail(problem) : String(headers['x-api-key']);
  }
  return taken.has('bearerAuth') ? bearerKey(headers) : undefined;
}

function modeOfKey(key: string): Mode {
  const [, mode] = /^sk_(test|live)_[0-9A-Za-z_]+$/.exec(key) ?? [];
  if (!mode) throw new ApiError('invalid_api_key', 'This API key is not valid');
  return mode as Mode;
}

function modeOfSession(headers: IncomingHttpHeaders): Mode {
  if (isCrossSite(headers)) fail(otherSite);
  const { 'x-service-mode': mode } = headers;
  if (mode === 'test' || mode === 'live') return mode;
  return fail(noMode);
}

function hasSession({ cookie = '' }: IncomingHttpHeaders): boolean {
  return cookie
    .split(/; */)
    .some((pair) => pair.startsWith(`${sessionCookie}=`) && pair.length > sessionCookie.length + 1);
}

function fail(sentence: Sentence): never {
  throw new ApiError(...sentence);
}
