import { Call } from './call.ts';
import { routes } from './generated/routes.ts';
import type { CsvListId, ListId, OperationId, OperationRequest, Send } from './operations.ts';
import { CsvPageCall, type ListCall, PageCall } from './page-call.ts';
import type { QueryOfList } from './pages.ts';
import type { Route } from './route.ts';

export type BindOperation = <Id extends OperationId>(
  id: Id,
  // biome-ignore lint/suspicious/noExplicitAny: at run time all methods are alike; the generated interfaces have their parameters.
) => (...input: any[]) => Id extends CsvListId ? CsvPageCall<Id> : Id extends ListId ? PageCall<Id> : Call<Id>;

/** A method's parameters are the path parameters, then the body or the query, then the options. */
export function methodsOver(send: Send): BindOperation {
  const bind = (id: OperationId) => {
    const route: Route = routes[id];
    const names = [...route.path.matchAll(/\{(\w+)\}/g)].map((match) => String(match[1]));
    return (...input: unknown[]) => {
      const request = requestOf({ id, input }, { route, names });
      const { items, takesAfter = false, isFeed = false, hasCsv } = route;
      if (items === undefined) return new Call((wanted) => send({ ...request, ...wanted }));
      const list: ListCall = {
        query: { ...request.query } as QueryOfList,
        listedAs: { items, takesAfter, isFeed },
        send: (query, wanted) => send({ ...request, ...wanted, query: query as OperationRequest['query'] }),
        sendForCsv: () => send({ ...request, isForCsv: true }),
      };
      return hasCsv ? new CsvPageCall(list) : new PageCall(list);
    };
  };
  // The generated interfaces have the types of each method's parameters and result. At run time all methods are alike.
  return bind as unknown as BindOperation;
}

/** Omits undefined values, and writes a Date as ISO time. An empty list is sent, so that the service rejects it. */
function queryOf(given: unknown): Record<string, unknown> {
  const entries = Object.entries(given ?? {}).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries.map(([name, value]) => [name, fieldOf(name, value)]));
}

function fieldOf(name: string, value: unknown): unknown {
  if (!Array.isArray(value)) return textOf(name, value);
  // A filter without values must not be left out, because the response would contain all records.
  return value.length === 0 ? '' : value.map((one) => textOf(name, one));
}

function textOf(name: string, value: unknown): unknown {
  // Only undefined means that there is no filter.
  if (value == null) throw new TypeError(`${name} is or contains ${value}. Leave it out to list all.`);
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== 'object') return value;
  throw new TypeError(`${name} is an object, which a query cannot have. Are the options in the place of the query?`);
}

interface MethodCall {
  id: OperationId;
  input: unknown[];
}

function requestOf({ id, input }: MethodCall, { route, names }: { route: Route; names: string[] }): OperationRequest {
  const path = Object.fromEntries(names.map((name, position) => [name, input[position]]));
  const taken = input[names.length];
  const options = route.input ? input[names.length + 1] : taken;
  return {
    id,
    path,
    query: route.input === 'query' ? queryOf(taken) : undefined,
    body: route.input === 'body' ? taken : undefined,
    options: (options ?? {}) as OperationRequest['options'],
  };
}
