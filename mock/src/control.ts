/**
 * `/__mock` lists what the mock can answer, and `/__mock/events` sends events and adds them to the list. All other paths are those of the
 * service.
 */
import type { IncomingMessage } from 'node:http';
import type { Model } from '@tillhook/openapi';
import { noSuchAddress, wrongMediaType, wrongMethod } from '@tillhook/openapi/refusals/sentences';
import { readOrder } from './event-order.ts';
import { sendEvent } from './event-sender.ts';
import type { Front } from './front.ts';
import { preferenceNames } from './preferences.ts';
import type { MockAnswer } from './prism.ts';
import { Refusal } from './refusal.ts';
import { isJson, readRequest } from './request.ts';
import { pathnameOf } from './routes.ts';

export function isControl(request: IncomingMessage): boolean {
  return /^\/__mock(\/|$)/.test(pathnameOf(request));
}

export function createControl(
  model: Model,
  front: Front,
  stopping: AbortSignal,
): (request: IncomingMessage) => Promise<MockAnswer> {
  const contents = contentsOf(model, front);
  return async (incoming) => {
    try {
      const [path, method] = [pathnameOf(incoming).replace(/\/$/, ''), incoming.method ?? 'GET'];
      if (path === '/__mock' && /^(GET|HEAD)$/.test(method)) return ok(contents);
      if (path === '/__mock/events' && method === 'POST') {
        const order = await orderIn(incoming, model, front);
        const setDelivered = front.feed.publish(order);
        const sent = await sendEvent(order, { signal: stopping });
        setDelivered(sent.delivered);
        return ok(sent);
      }
      const Allow = { '/__mock': 'GET', '/__mock/events': 'POST' }[path];
      if (!Allow) throw new Refusal(...noSuchAddress);
      throw new Refusal(...wrongMethod(method), { headers: { Allow } });
    } catch (error) {
      if (error instanceof Refusal) return front.refuse(error);
      throw error;
    }
  };
}

function ok(body: unknown): MockAnswer {
  return { status: 200, headers: { 'Content-Type': 'application/json' }, body };
}

async function orderIn(incoming: IncomingMessage, model: Model, { schemas }: Front) {
  refuseForeignPages(incoming);
  const request = await readRequest(incoming, model);
  if (request.refusal) throw request.refusal;
  if (!isJson(request.headers)) {
    throw new Refusal(...wrongMediaType);
  }
  return readOrder(model, schemas, request.body);
}

/** The mock sends events inside its own network, so a page of another site must not choose the receiver. */
function refuseForeignPages({ headers: { origin } }: IncomingMessage): void {
  if (origin === undefined || /^https?:\/\/(localhost|[\w.-]+\.localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(origin))
    return;
  throw new Refusal('cross_site_request', 'Only pages of this machine may send events');
}

function contentsOf({ operations, webhooks }: Model, { magic, lists }: Front) {
  return {
    operations: operations.map(({ id, method, path, answers }) => ({
      id,
      method: method.toUpperCase(),
      path,
      answers: Object.fromEntries(
        [...answers].map(([status, { content }]) => [status, [...(content?.examples.keys() ?? [])]]),
      ),
      magic: (magic.get(id) ?? []).map(({ name, status, conditions }) => ({
        send: conditions.map(({ in: place, keys, value }) => ({ in: place, field: keys.join('.'), value })),
        status,
        example: name,
      })),
      records: lists.get(id)?.records.length,
    })),
    events: webhooks.map(({ name }) => name),
    prefer: preferenceNames,
  };
}
