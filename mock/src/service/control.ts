/** `/__mock` lists the possible answers, `/__mock/events` sends events, `/__mock/endpoints` shows signing secrets. */

import type { IncomingMessage } from 'node:http';
import type { EventOrder, Sent } from '@tillhook/developer/sending/event-sender';
import { faultNames } from '@tillhook/developer/sending/faults';
import type { Model } from '@tillhook/openapi';
import { noSuchAddress, wrongMediaType, wrongMethod } from '@tillhook/openapi/rules/sentences';
import type { Memory } from '../memory/memory.ts';
import { ApiError, type MockAnswer } from '../requests/api-error.ts';
import { refuseForeignHosts, refuseForeignPages } from '../requests/foreign-callers.ts';
import { isJson, readRequest } from '../requests/request.ts';
import { pathnameOf } from '../requests/routes.ts';
import { readOrder } from './event-order.ts';
import type { Front } from './front.ts';
import { preferenceNames } from './preferences.ts';

export function isControl(request: IncomingMessage): boolean {
  return /^\/__mock(\/|$)/.test(pathnameOf(request));
}

export function createControl(model: Model, front: Front): (request: IncomingMessage) => Promise<MockAnswer> {
  const contents = contentsOf(model, front);
  const controls: Record<string, Control> = {
    '/__mock': { method: 'GET', answer: () => contents },
    '/__mock/endpoints': {
      method: 'GET',
      answer: ({ headers }) => {
        refuseForeignPages(headers);
        refuseForeignHosts(headers);
        return { endpoints: front.memory.endpoints() };
      },
    },
    '/__mock/events': {
      method: 'POST',
      answer: async (request) => sendOrder(await orderIn(request, model, front), front.memory),
    },
  };
  return async (request) => {
    try {
      const { method = 'GET' } = request;
      const control = controls[pathnameOf(request).replace(/\/$/, '')];
      if (!control) throw new ApiError(...noSuchAddress);
      const isAllowed = method === control.method || (method === 'HEAD' && control.method === 'GET');
      if (!isAllowed) throw new ApiError(...wrongMethod(method), { headers: { Allow: control.method } });
      return ok(await control.answer(request));
    } catch (error) {
      if (error instanceof ApiError) return front.answerError(error);
      throw error;
    }
  };
}

interface Control {
  method: 'GET' | 'POST';
  answer(request: IncomingMessage): unknown;
}

/** A webhook with a deliberate fault is not added to the list of events. */
function sendOrder(order: EventOrder, { outbox }: Memory): Promise<Sent> {
  const event = order.fault === undefined ? outbox.remember(order) : null;
  return outbox.send(order, { event });
}

function ok(body: unknown): MockAnswer {
  return { status: 200, headers: { 'Content-Type': 'application/json' }, body };
}

async function orderIn(incoming: IncomingMessage, model: Model, { schemas, memory }: Front) {
  refuseForeignPages(incoming.headers);
  const request = await readRequest(incoming, model);
  if (request.error) throw request.error;
  if (!isJson(request.headers)) {
    throw new ApiError(...wrongMediaType);
  }
  return readOrder({ model, schemas, endpointAt: memory.endpointAt }, request.body);
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
    faults: faultNames,
    prefer: preferenceNames,
  };
}
