/** The checks that server and mock make on a body before they check its schema. */
import type { Model } from '../model.ts';
import { firstOf, mostProblems } from './problems.ts';
import type { Sentence } from './sentences.ts';

export const limitBytes = 100 * 1024;

/** The longest body that an address takes, in bytes. Only addresses without parameters have a limit that is not the usual one. */
export function bodyLimitOf({ operations }: Model, { method, path }: { method: string; path: string }): number {
  const called = operations.find((one) => one.path === path && one.method === method.toLowerCase());
  return called?.bodyLimit ?? limitBytes;
}

/** Far more than any body of the contract needs. */
const maxLevels = 32;

/** The media type of a body without its parameters, and whether it may be read as UTF-8. */
export function mediaTypeOf(contentType: string): { type: string; isUtf8: boolean } {
  const [type = '', ...parameters] = contentType.toLowerCase().split(';');
  return { type: type.trim(), isUtf8: !parameters.some(isOtherCharset) };
}

function isOtherCharset(parameter: string): boolean {
  const [name = '', value = ''] = parameter.split('=');
  if (name.trim() !== 'charset') return false;
  return !['utf-8', 'utf8'].includes(value.replaceAll('"', '').trim());
}

/** The refusal of a body that is nested too deeply; null when it is not. */
export function tooDeep(body: unknown): Sentence | null {
  if (!isDeeperThan(body, maxLevels)) return null;
  return ['invalid_json', `The request body is nested more than ${maxLevels} levels deep`];
}

/**
 * Stops at the limit, because a body that is only brackets would exhaust the stack of a function that walks all of it.
 */
function isDeeperThan(value: unknown, levels: number): boolean {
  if (value === null || typeof value !== 'object') return false;
  return levels === 0 || Object.values(value).some((child) => isDeeperThan(child, levels - 1));
}

/**
 * The JSON pointers of strings in a body, keys and values, that Postgres cannot store, because they have U+0000 or half
 * of a surrogate pair. At most as many as one answer reports.
 */
export function unstorableStrings(body: unknown): string[] {
  return firstOf(unstorableIn(body, ''), mostProblems);
}

function* unstorableIn(value: unknown, pointer: string): Generator<string> {
  if (typeof value === 'string' && !isStorable(value)) yield pointer;
  if (value === null || typeof value !== 'object') return;
  for (const [key, child] of Object.entries(value)) {
    if (isStorable(key)) yield* unstorableIn(child, `${pointer}/${pointerToken(key)}`);
    else yield pointer;
  }
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** A key, escaped for a JSON pointer (RFC 6901). */
function pointerToken(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
