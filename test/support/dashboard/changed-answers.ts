/**
 * Each request of the page lists the changes to the mock's responses in a header.
 * Choice: not `page.route`, because it turns off the cache of the page, so the page would compile all scripts again.
 */
import type { Request, RequestHandler } from 'express';

export interface ChangedAnswer {
  /** A regular expression for the rest of the URL after `/api/v1/`. */
  address: string;
  /** A change without a method applies to all methods. */
  method?: 'GET';
  status?: number;
  /** An operation without this example returns its usual response. */
  example?: string;
  fields?: Record<string, unknown>;
}

const header = 'x-changed-answers';

/** If two changes match a request, the mock applies the first change. */
export function headerOfChanges(changes: readonly ChangedAnswer[]): Record<string, string> {
  return changes.length === 0 ? {} : { [header]: encodeURIComponent(JSON.stringify(changes)) };
}

export function changeAnswersOf(mockUrl: string): RequestHandler {
  return async (incoming, response, next) => {
    const changesHeader = incoming.get(header);
    const changes: ChangedAnswer[] = changesHeader ? JSON.parse(decodeURIComponent(changesHeader)) : [];
    for (const change of changes.filter((one) => isMeant(one, incoming))) {
      if (change.status) {
        incoming.headers.prefer = `code=${change.status}`;
        return next();
      }
      const answer = await fetch(mockUrl + incoming.originalUrl, { headers: headersOf(incoming, change) });
      const body = await answer.json();
      // The pattern may also match an operation that has no such example.
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

const read = ['authorization', 'cookie', 'x-service-mode'] as const;

function headersOf(incoming: Request, { example }: ChangedAnswer): Headers {
  // The mock might close an idle connection at the moment when the next request is sent on it.
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
