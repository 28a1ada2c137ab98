import type { ModelOperation } from '@tillhook/openapi';
import { ApiError, fieldError } from '../requests/api-error.ts';
import type { MockRequest } from '../requests/request.ts';

export interface Preferences {
  code?: number;
  example?: string;
  dynamic?: boolean;
  seed?: string;
  waitMs: number;
}

export const preferenceNames = ['code', 'example', 'dynamic', 'seed', 'wait'];

const maxWaitMs = 30_000;

/** `Prefer: code=404, example=notFound, wait=800` and `?__code=404&__wait=800` select an answer of the contract. */
export function readPreferences({ headers, queryPreferences }: MockRequest, operation: ModelOperation): Preferences {
  const { prefer } = headers;
  if (prefer === undefined && Object.keys(queryPreferences).length === 0) return { waitMs: 0 };
  refuseUnknown(Object.keys(queryPreferences));
  const { code, example, dynamic, wait, seed } = { ...queryPreferences, ...headerPreferences(String(prefer ?? '')) };
  return {
    ...preferredAnswer(operation, code, example),
    ...(dynamic !== undefined && { dynamic: readDynamic(dynamic) }),
    ...(seed !== undefined && { seed }),
    waitMs: wait === undefined ? 0 : readWait(wait),
  };
}

/** Checks only the query: a server must ignore unknown preferences in the header `Prefer` (RFC 7240, section 2). */
function refuseUnknown(names: readonly string[]): void {
  const unknown = names.find((name) => !preferenceNames.includes(name));
  if (unknown === undefined) return;
  const known = preferenceNames.map((name) => `__${name}`).join(', ');
  throw fieldError('unknown_parameter', `__${unknown}`, `is not one of ${known}`);
}

function headerPreferences(header: string): Record<string, string> {
  const pairs = header.matchAll(/(?<![\w-])([a-z]+)\s*=\s*"?([^",;\s]*)/gi);
  return Object.fromEntries([...pairs].map(([, name = '', value = '']) => [name.toLowerCase(), value]));
}

function preferredAnswer(
  { id, answers, successStatus }: ModelOperation,
  preferredCode?: string,
  example?: string,
): Pick<Preferences, 'code' | 'example'> {
  const namesOf = (status: number) => [...(answers.get(status)?.content?.examples.keys() ?? [])];
  const has = (status: number) => example !== undefined && namesOf(status).includes(example);
  if (preferredCode === undefined && example === undefined) return {};
  if (preferredCode === undefined) {
    const code = [successStatus, ...answers.keys()].find(has);
    if (code !== undefined) return { code, example: example as string };
    throw preferenceError(
      `example=${example}`,
      `${id} has ${[...new Set([...answers.keys()].flatMap(namesOf))].join(', ')}`,
    );
  }
  const code = Number(preferredCode);
  if (!answers.has(code))
    throw preferenceError(`code=${preferredCode}`, `${id} documents ${[...answers.keys()].join(', ')}`);
  if (example === undefined) return { code };
  if (has(code)) return { code, example };
  throw preferenceError(`code=${code}, example=${example}`, `${id} ${code} has ${namesOf(code).join(', ')}`);
}

function readDynamic(value: string): boolean {
  if (value === 'true' || value === 'false') return value === 'true';
  throw preferenceError(`dynamic=${value}`, 'it is true or false');
}

function readWait(value: string): number {
  const waitMs = Number(value);
  if (/^\d+$/.test(value) && waitMs <= maxWaitMs) return waitMs;
  throw preferenceError(`wait=${value}`, `it is a number of milliseconds up to ${maxWaitMs}`);
}

function preferenceError(preference: string, instead: string): ApiError {
  return new ApiError('invalid_parameter', `The mock cannot answer "${preference}": ${instead}`, { param: 'Prefer' });
}
