import type { Model } from '../model/model.ts';
import { firstOf, maxProblems } from './problems.ts';
import type { Sentence } from './sentences.ts';

export const limitBytes = 100 * 1024;

/** Returns the maximum size of the body in bytes. Only an operation without path parameters can have its own limit. */
export function bodyLimitOf({ operations }: Model, { method, path }: { method: string; path: string }): number {
  const called = operations.find((one) => one.path === path && one.method === method.toLowerCase());
  return called?.bodyLimit ?? limitBytes;
}

/** The maximum numbers of nesting levels and values in a body: the contract's bodies have far fewer. */
const maxLevels = 32;
export const maxValues = 2000;

export function mediaTypeOf(contentType: string): { type: string; isUtf8: boolean } {
  const [type = '', ...parameters] = contentType.toLowerCase().split(';');
  return { type: type.trim(), isUtf8: !parameters.some(isOtherCharset) };
}

function isOtherCharset(parameter: string): boolean {
  const [name = '', value = ''] = parameter.split('=');
  if (name.trim() !== 'charset') return false;
  return !['utf-8', 'utf8'].includes(value.replaceAll('"', '').trim());
}

/** Scans the bytes, because parsing and walking 100 KiB of small values takes many times as long. */
export function tooIntricate(body: Uint8Array): Sentence | null {
  let [values, levels] = [1, 0];
  for (let index = 0; index < body.length; index += 1) {
    const byte = body[index];
    if (byte === quote) index = endOfString(body, index);
    const isOpening = byte === openBracket || byte === openBrace;
    if (isOpening || byte === comma) values += 1;
    levels += Number(isOpening) - Number(byte === closeBracket || byte === closeBrace);
    if (levels > maxLevels) return ['invalid_json', `The request body is nested more than ${maxLevels} levels deep`];
    if (values > maxValues) return ['invalid_json', `The request body has more than ${maxValues} values`];
  }
  return null;
}

const [quote, backslash, comma] = [...'"\\,'].map((character) => character.charCodeAt(0));
const [openBracket, closeBracket, openBrace, closeBrace] = [...'[]{}'].map((character) => character.charCodeAt(0));

function endOfString(body: Uint8Array, start: number): number {
  let index = start + 1;
  while (index < body.length && body[index] !== quote) index += body[index] === backslash ? 2 : 1;
  return index;
}

/** Postgres stores no U+0000 and no unpaired surrogate. The search stops after `maxProblems` strings. */
export function unstorableStrings(body: unknown): string[] {
  return firstOf(unstorableIn(body, ''), maxProblems);
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

/** Escapes a key for a JSON pointer (RFC 6901). */
export function pointerToken(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
