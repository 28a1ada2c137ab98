/** The checks that server and mock make on a body before they check its schema. */
import type { Model } from '../model/model.ts';
import { firstOf, mostProblems } from './problems.ts';
import type { Sentence } from './sentences.ts';

export const limitBytes = 100 * 1024;

/** The longest body that an address takes, in bytes. Only addresses without parameters have a limit that is not the usual one. */
export function bodyLimitOf({ operations }: Model, { method, path }: { method: string; path: string }): number {
  const called = operations.find((one) => one.path === path && one.method === method.toLowerCase());
  return called?.bodyLimit ?? limitBytes;
}

/** Both are far more than any body of the contract needs. */
const mostLevels = 32;
export const maxValues = 2000;

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

/**
 * The error for a body that has too many values or is nested too deeply; null when it is neither. It reads the bytes,
 * because to parse 100 KiB of small values, and to walk through them, takes many times as long.
 */
export function tooIntricate(body: Uint8Array): Sentence | null {
  let [values, levels] = [1, 0];
  for (let index = 0; index < body.length; index += 1) {
    const byte = body[index];
    if (byte === quote) index = endOfString(body, index);
    const isOpening = byte === openBracket || byte === openBrace;
    if (isOpening || byte === comma) values += 1;
    levels += Number(isOpening) - Number(byte === closeBracket || byte === closeBrace);
    if (levels > mostLevels) return ['invalid_json', `The request body is nested more than ${mostLevels} levels deep`];
    if (values > maxValues) return ['invalid_json', `The request body has more than ${maxValues} values`];
  }
  return null;
}

const [quote, backslash, comma] = [...'"\\,'].map((character) => character.charCodeAt(0));
const [openBracket, closeBracket, openBrace, closeBrace] = [...'[]{}'].map((character) => character.charCodeAt(0));

/** The index of the quotation mark that ends the string which begins here. */
function endOfString(body: Uint8Array, start: number): number {
  let index = start + 1;
  while (index < body.length && body[index] !== quote) index += body[index] === backslash ? 2 : 1;
  return index;
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
export function pointerToken(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
