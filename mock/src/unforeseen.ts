/** What is wrong with a request and no schema of the contract says it. */
import type { ParsedUrlQuery } from 'node:querystring';
import type { ModelOperation } from '@tillhook/openapi';

export interface Problem {
  keys: string[];
  rule: string;
  message: string;
  /** Its wording and code may stand in the body's schema. */
  isOfBody?: boolean;
}

/** As many as the service reports. */
export const mostProblems = 100;

export function unknownQueries({ parameters }: ModelOperation, query: ParsedUrlQuery): Problem[] {
  const known = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  return Object.keys(query)
    .filter((name) => !known.includes(name))
    .slice(0, mostProblems)
    .map((name) => ({ keys: [name], rule: 'unknown', message: '' }));
}

/** Strings, keys and values, that the service cannot store: with U+0000, or half of a surrogate pair. */
export function unstorable(value: unknown): Problem[] {
  const places: string[][] = [];
  for (const keys of unstorableIn(value, [])) {
    places.push(keys);
    if (places.length === mostProblems) break;
  }
  return places.map((keys) => ({
    keys,
    rule: 'characters',
    message: 'must not contain U+0000 or half of a surrogate pair',
    isOfBody: true,
  }));
}

function* unstorableIn(value: unknown, keys: string[]): Generator<string[]> {
  if (typeof value === 'string' && !isStorable(value)) yield keys;
  if (value === null || typeof value !== 'object') return;
  for (const [key, child] of Object.entries(value)) {
    if (isStorable(key)) yield* unstorableIn(child, [...keys, key.replaceAll('~', '~0').replaceAll('/', '~1')]);
    else yield keys;
  }
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}
