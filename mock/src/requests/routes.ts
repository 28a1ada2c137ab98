import type { IncomingMessage } from 'node:http';
import type { ModelOperation } from '@tillhook/openapi';
import { noSuchAddress, wrongMethod } from '@tillhook/openapi/rules/sentences';
import { ApiError, validationError } from './api-error.ts';

export interface Routed {
  operation: ModelOperation;
  path: Record<string, string>;
}

export function createRouter(operations: readonly ModelOperation[]): (method: string, pathname: string) => Routed {
  const places = placesOf(operations);
  return (method, pathname) => {
    const found = match(places, pathname);
    if (!found) throw new ApiError(...noSuchAddress);
    const [{ names, byMethod }, values] = found;
    const path = pathParameters(names, values);
    const operation = byMethod.get(method === 'HEAD' ? 'GET' : method);
    if (!operation) {
      throw new ApiError(...wrongMethod(method), { headers: { Allow: [...byMethod.keys()].join(', ') } });
    }
    return { operation, path };
  };
}

export function pathnameOf({ url = '/' }: IncomingMessage): string {
  return url.split('?', 1)[0] || '/';
}

interface Place {
  form: RegExp;
  names: string[];
  byMethod: Map<string, ModelOperation>;
}

/** Paths with fewer parameters come first, so that `/payments/checkout` does not match `/payments/{reference}`. */
function placesOf(operations: readonly ModelOperation[]): Place[] {
  const paths = [...new Set(operations.map(({ path }) => path))];
  const parametersOf = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return paths
    .toSorted((a, b) => parametersOf(a).length - parametersOf(b).length)
    .map((path) => ({
      form: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '([^/]+)')}/?$`, 'i'),
      names: parametersOf(path),
      byMethod: new Map(
        operations
          .filter((operation) => operation.path === path)
          .map((operation) => [operation.method.toUpperCase(), operation]),
      ),
    }));
}

function match(places: readonly Place[], pathname: string): [Place, string[]] | undefined {
  for (const place of places) {
    const values = place.form.exec(pathname);
    if (values) return [place, values.slice(1)];
  }
  return undefined;
}

function pathParameters(names: readonly string[], values: readonly string[]): Record<string, string> {
  const entries = names.map((name, index) => [name, decoded(values[index] ?? '')]);
  if (entries.every(([, value]) => value !== undefined)) return Object.fromEntries(entries);
  throw validationError([{ part: undefined, pointer: '', rule: 'malformed', message: '' }]);
}

function decoded(value: string): string | undefined {
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}
