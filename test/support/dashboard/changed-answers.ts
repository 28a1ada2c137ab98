/**
 * The answers of the mock that a scene changes. Each call of the page lists the changes in a header.
 * Choice: `page.route` would change the answers in the browser, but it turns off the cache of the page, so the page
 * would compile all scripts again.
 */
import type { Request, RequestHandler } from 'express';

export interface ChangedAnswer {
  /** A regular expression for the end of the address, after `/api/v1/`. */
  address: string;
  /** Only calls with this method. All when omitted. */
  method?: 'GET';
  /** The status of the example that answers. */
  status?: number;
  /** The name of the example that answers. An operation without this example gives its usual answer. */
  example?: string;
  /** Replaces fields of the body. */
  fields?: Record<string, unknown>;
}

const header = 'x-changed-answers';

/** The headers that a page sends with each call. If two changes match a call, the first one is used. */
export function headerOfChanges(changes: readonly ChangedAnswer[]): Record<string, string> {
  return changes.length === 0 ? {} : { [header]: encodeURIComponent(JSON.stringify(changes)) };
}

/** Changes the answers of the mock at this address, as the header of each call says. */
export function changeAnswersOf(mockUrl: string): RequestHandler {
  return async (incoming, response, next) => {
    const asked = incoming.get(header);
    const changes: ChangedAnswer[] = asked ? JSON.parse(decodeURIComponent(asked)) : [];
    for (const change of changes.filter((one) => isMeant(one, incoming))) {
      if (change.status) {
        incoming.headers.prefer = `code=${change.status}`;
        return next();
      }
      const answer = await fetch(mockUrl + incoming.originalUrl, { headers: headersOf(incoming, change) });
      const body = await answer.json();
      // Another operation may have no such example.
      if (change.example && !answer.ok) continue;
      return response.status(answer.status).json(merged(body, change.fields));
    }
    next();
  };
}

function isMeant({ address, method }: ChangedAnswer, incoming: Request): boolean {
  const isMethod = method === undefined || method === incoming.method;
  return isMethod && new RegExp(`/api/v1/${address}(\\?|$)`).test(incoming.originalUrl);
}

/** The headers of a call that the mock reads. */
const read = ['authorization', 'cookie', 'x-service-mode'] as const;

function headersOf(incoming: Request, { example }: ChangedAnswer): Headers {
  // The mock might close an idle connection just before the next call is sent on it.
  const headers = new Headers({ connection: 'close' });
  for (const name of read) if (incoming.get(name)) headers.set(name, incoming.get(name) ?? '');
  if (example) headers.set('prefer', `example=${example}`);
  return headers;
}

function merged(value: unknown, change: unknown): unknown {
  if (change === undefined) return value;
  if (typeof change !== 'object' || change === null || Array.isArray(change)) return change;
  const whole = (value ?? {}) as Record<string, unknown>;
  return {
    ...whole,
    ...Object.fromEntries(Object.entries(change).map(([name, part]) => [name, merged(whole[name], part)])),
  };
}
