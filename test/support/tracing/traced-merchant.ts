import type { ExecutionContext } from 'ava';
import { startReceiver } from '../receivers/receiver.ts';
import type { OwnServer, TestMerchant } from '../server/tillhook.ts';
import type { Collector, ReceivedSpan } from './collector.ts';

export interface Traced {
  merchant: TestMerchant;
  receiver: Awaited<ReturnType<typeof startReceiver>>;
  spanOf(name: string, attempt?: number): Promise<ReceivedSpan>;
}

interface Tracing {
  on: OwnServer;
  from: Collector;
  statuses?: number[];
  path?: string;
}

/** The receiver responds with these statuses, and then with 200. */
export async function tracedMerchant(
  t: ExecutionContext,
  { on, from, statuses = [], path = '' }: Tracing,
): Promise<Traced> {
  const receiver = await startReceiver({ answer: (_delivery, index) => ({ status: statuses[index] ?? 200 }) });
  t.teardown(() => receiver.stop());
  const merchant = await on.createMerchant();
  await merchant.client.webhookEndpoints.register({ url: `${receiver.url}${path}` });
  return { merchant, receiver, spanOf: (name, attempt) => spanOf(from, merchant, { name, attempt }) };
}

export function spanOf(from: Collector, { id }: TestMerchant, { name, attempt }: { name: string; attempt?: number }) {
  return from.waitFor(
    (span) =>
      span.name === name &&
      span.attributes['tillhook.merchant_id'] === id &&
      span.attributes['tillhook.attempt'] === attempt,
  );
}

export async function createCheckout(on: OwnServer, { testKey }: TestMerchant, headers: Record<string, string> = {}) {
  const response = await on.request('/api/v1/payments/checkout', {
    method: 'POST',
    key: testKey,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ email: 'ada@example.com', amount: 500 }),
  });
  const { data } = await response.json();
  return { ...data, requestId: response.headers.get('x-request-id') } as {
    reference: string;
    checkoutUrl: string;
    requestId: string;
  };
}
