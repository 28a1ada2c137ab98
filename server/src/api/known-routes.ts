// See docs/decisions/requests.md, "The validator's routes are looked up in a table".
import type { Model, ModelOperation } from '@tillhook/openapi';
import type { Request, RequestHandler } from 'express';

interface FoundRoute {
  pathParams: Record<string, string>;
}

interface Route {
  segments: readonly Segment[];
  found?: FoundRoute;
}

type Segment = { text: string } | { name: string };

type WithRoute = Request & { openapi?: FoundRoute };

/** The name of the validator's function that looks up routes. Callers are authenticated right after this function. */
export const lookUpStep = 'metadataMiddleware';

export function knownRoutes(lookUp: RequestHandler, { operations }: Model): RequestHandler {
  const table = tableOf(operations);
  return (request: WithRoute, response, next) => {
    const [path = ''] = request.originalUrl.split('?', 1);
    const parts = path.split('/');
    const candidates = table.get(shapeOf(request.method, parts.length)) ?? [];
    const [route, ...others] = candidates.filter(({ segments }) => segments.every(matches(parts)));
    const pathParams = route && others.length === 0 ? valuesIn(route.segments, parts) : null;
    if (!route || !pathParams) return lookUp(request, response, next);
    if (route.found) {
      request.openapi = { ...route.found, pathParams };
      request.params = pathParams;
      return next();
    }
    return lookUp(request, response, (error?: unknown) => {
      if (!error && request.openapi) route.found = request.openapi;
      next(error);
    });
  };
}

function tableOf(operations: readonly ModelOperation[]): Map<string, Route[]> {
  const table = new Map<string, Route[]>();
  for (const { method, path } of operations) {
    const segments = path.split('/').map(segmentOf);
    const shape = shapeOf(method.toUpperCase(), segments.length);
    table.set(shape, [...(table.get(shape) ?? []), { segments }]);
  }
  return table;
}

const shapeOf = (method: string, length: number) => `${method} ${length}`;

function segmentOf(text: string): Segment {
  const [, name] = /^\{(.+)\}$/.exec(text) ?? [];
  return name === undefined ? { text } : { name };
}

const matches = (parts: readonly string[]) => (segment: Segment, index: number) =>
  'text' in segment ? segment.text === parts[index] : parts[index] !== '';

function valuesIn(segments: readonly Segment[], parts: readonly string[]): Record<string, string> | null {
  const values: Record<string, string> = {};
  try {
    for (const [index, segment] of segments.entries())
      if ('name' in segment) values[segment.name] = decodeURIComponent(parts[index] ?? '');
  } catch {
    return null;
  }
  return values;
}
