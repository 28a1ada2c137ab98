import { refund, type StripeObject } from './stripe-events.ts';

export interface Answer {
  status: number;
  body: StripeObject;
}

export interface FakeRefunds {
  refunds: StripeObject[];
  /** The `Idempotency-Key` of each request that creates a refund. */
  keys: string[];
  /** With null, the fake Stripe refuses new refunds. */
  next: 'pending' | 'succeeded' | null;
  /** Creates a refund, as a person does in the dashboard of Stripe. */
  make(own: StripeObject): StripeObject;
}

interface StripeRequest {
  method: string;
  url: string;
  key: string;
}

export function createFakeRefunds(): FakeRefunds & { answer(request: StripeRequest, body: string): Answer | null } {
  const refunds: StripeObject[] = [];
  const keys: string[] = [];
  const byKey = new Map<string, StripeObject>();
  const state: FakeRefunds = {
    refunds,
    keys,
    next: 'succeeded',
    make(own) {
      const made = refund({ currency: 'ngn', ...own });
      refunds.push(made);
      return made;
    },
  };

  function create(key: string, form: URLSearchParams): Answer {
    keys.push(key);
    if (state.next === null)
      return { status: 400, body: { error: { type: 'invalid_request_error', code: 'charge_already_refunded' } } };
    const known = byKey.get(key);
    const made =
      known ??
      state.make({
        payment_intent: form.get('payment_intent'),
        amount: Number(form.get('amount')),
        status: state.next,
        metadata: { refundId: form.get('metadata[refundId]'), reference: form.get('metadata[reference]') },
      });
    byKey.set(key, made);
    return { status: 200, body: made };
  }

  return Object.assign(state, {
    answer({ method, url, key }: StripeRequest, body: string): Answer | null {
      const { pathname, searchParams } = new URL(url, 'http://stripe');
      if (!pathname.startsWith('/v1/refunds')) return null;
      const id = pathname.split('/')[3];
      if (method === 'POST') return create(key, new URLSearchParams(body));
      const intent = searchParams.get('payment_intent');
      const list = refunds.filter(({ payment_intent }) => payment_intent === intent);
      const found = id ? refunds.find((each) => each.id === id) : { object: 'list', data: list, has_more: false };
      return found ? { status: 200, body: found } : { status: 404, body: { error: { type: 'invalid_request_error' } } };
    },
  });
}
