/** stripe-mock validates requests but stores nothing. This fake of Stripe stores sessions, and can fail on purpose. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Answer, createFakeRefunds, type FakeRefunds } from './fake-stripe-refunds.ts';
import { charge, checkoutSession, paymentIntent, type StripeObject } from './stripe-events.ts';

/** The request is lost, its response is lost, or Stripe responds with this error. */
export type RequestFailure = 'request lost' | 'answer lost' | { status: number; error: StripeObject };

export interface FakeStripe {
  refunding: FakeRefunds;
  url: string;
  /** The current state of all sessions, oldest first. */
  sessions: StripeObject[];
  /** The parameters and the `Idempotency-Key` of each request that creates a session. */
  requests: { key: string; form: URLSearchParams }[];
  pay(session: StripeObject, own?: StripeObject): StripeObject;
  decline(session: StripeObject): void;
  failNext(failure: RequestFailure): void;
  stop(): void;
}

export async function startFakeStripe(): Promise<FakeStripe> {
  const sessions: StripeObject[] = [];
  const requests: FakeStripe['requests'] = [];
  const byKey = new Map<string, { form: string; session: StripeObject }>();
  const nextFailures: RequestFailure[] = [];
  const refunding = createFakeRefunds();

  function create(key: string, body: string, host: string): Answer {
    const known = byKey.get(key);
    if (known && known.form !== body) return errorAnswer('The same key with other parameters', 'idempotency_error');
    const form = new URLSearchParams(body);
    requests.push({ key, form });
    const session = known?.session ?? sessionOf(form, `http://${host}/pay`);
    if (!known) sessions.push(session);
    byKey.set(key, { form: body, session });
    return { status: 200, body: session };
  }

  function intentOf(id: string): Answer {
    const intents = sessions.map(({ payment_intent }) => payment_intent as StripeObject | null);
    const found = intents.find((intent) => intent?.id === id);
    return found ? { status: 200, body: found } : { status: 404, body: { error: { type: 'invalid_request_error' } } };
  }

  function answer({ method = '', url = '', headers }: IncomingMessage, body: string): Answer {
    const key = String(headers['idempotency-key']);
    const refund = refunding.answer({ method, url, key }, body);
    if (refund) return refund;
    const [, intent] = /^\/v1\/payment_intents\/(\w+)/.exec(url) ?? [];
    if (intent) return intentOf(intent);
    const [, id, act] = /^\/v1\/checkout\/sessions(?:\/([^/?]+))?(\/expire)?(?:\?.*)?$/.exec(url) ?? [];
    if (method === 'POST' && !id) return create(key, body, String(headers.host));
    return readSession(id, Boolean(act));
  }

  function readSession(id: string | undefined, isToEnd: boolean): Answer {
    const session = sessions.find((each) => each.id === id);
    if (!session) return { status: 404, body: { error: { type: 'invalid_request_error', code: 'resource_missing' } } };
    if (isToEnd && session.status !== 'open') return errorAnswer('Only sessions that are open can be expired');
    if (isToEnd) Object.assign(session, { status: 'expired', url: null });
    return { status: 200, body: session };
  }

  const server = createServer(async (request, response) => {
    const [, visited] = /^\/pay\/(\w+)/.exec(request.url ?? '') ?? [];
    const visitedSession = sessions.find(({ id }) => id === visited);
    if (visitedSession) return showPage(visitedSession, request, response);
    const body = Buffer.concat(await request.toArray()).toString();
    const failure = nextFailures.shift();
    if (failure === 'request lost') return request.socket.destroy();
    if (typeof failure === 'object') return send(response, { status: failure.status, body: { error: failure.error } });
    const result = answer(request, body);
    if (failure === 'answer lost') return request.socket.destroy();
    send(response, result);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sessions,
    requests,
    refunding,
    pay,
    decline: (session) => Object.assign(session, { payment_intent: declinedIntent() }),
    failNext: (failure) => {
      // Stripe's client retries a request without a response once, so the retry must be lost too.
      nextFailures.push(failure, ...(typeof failure === 'string' ? [failure] : []));
    },
    stop: () => server.close(),
  };
}

function pay(session: StripeObject, own: StripeObject = {}): StripeObject {
  const paid = { status: 'complete', payment_status: 'paid', url: null, payment_intent: paidIntent(session) };
  return Object.assign(session, paid, own);
}

function showPage(session: StripeObject, { method }: IncomingMessage, response: ServerResponse): void {
  if (method === 'POST') {
    pay(session);
    response.writeHead(303, { location: String(session.success_url) }).end();
    return;
  }
  response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html><link rel="icon" href="data:,">
<title>Pay</title><h1>Stripe, or so it says</h1><form method="post"><button>Pay</button></form>
<a href="${session.cancel_url}">Back</a>`);
}

function sessionOf(form: URLSearchParams, pages: string): StripeObject {
  const id = `cs_test_${randomBytes(12).toString('hex')}`;
  return checkoutSession({
    id,
    url: `${pages}/${id}`,
    client_reference_id: form.get('client_reference_id'),
    customer_email: form.get('customer_email'),
    amount_total: Number(form.get('line_items[0][price_data][unit_amount]')),
    currency: form.get('line_items[0][price_data][currency]'),
    expires_at: Number(form.get('expires_at')),
    success_url: form.get('success_url'),
    cancel_url: form.get('cancel_url'),
    metadata: { attemptId: form.get('metadata[attemptId]'), reference: form.get('metadata[reference]') },
  });
}

function paidIntent({ metadata }: StripeObject): StripeObject {
  const card = { brand: 'visa', last4: '4242' };
  return paymentIntent({
    status: 'succeeded',
    metadata,
    latest_charge: charge({ payment_method_details: { type: 'card', card } }),
  });
}

function declinedIntent(): StripeObject {
  const last_payment_error = {
    type: 'card_error',
    code: 'card_declined',
    decline_code: 'insufficient_funds',
    message: 'Your card has insufficient funds.',
  };
  return paymentIntent({ status: 'requires_payment_method', last_payment_error });
}

function errorAnswer(message: string, type = 'invalid_request_error'): Answer {
  return { status: 400, body: { error: { type, message } } };
}

function send(response: ServerResponse, { status, body }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
