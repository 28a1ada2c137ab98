import { LockMode } from '@mikro-orm/core';
import { Merchant } from '../auth/merchant.entity.ts';
import type { Called, Context, WriteContext } from '../context.ts';
import { type AttemptResult, deliverNow, type EventName } from '../delivery/deliver-now.ts';
import { AppError, notFound } from '../kit/errors.ts';
import { newId } from '../kit/ids.ts';
import { maxEndpoints, WebhookEndpoint } from './endpoint.entity.ts';
import { newSigningSecret } from './signing-secret.ts';

interface Registration {
  url: string;
  events?: string[];
}

/** In the contract's order, which is also the order in which a subscription is written. An event more does not compile. */
const subscribable = Object.keys({
  'checkout.success': true,
  'checkout.failed': true,
  'transfer.success': true,
  'transfer.failed': true,
} satisfies Record<Exclude<EventName, 'test.event'>, true>);

/** Registers an endpoint. The secret is returned beside it: the only moment at which the API shows it. */
export async function registerWebhookEndpoint(context: WriteContext & Called, { url, events }: Registration) {
  const { merchantId, mode } = context.principal;
  // Registrations of one merchant wait for each other here, so that two at once cannot both be the sixteenth.
  await context.em.findOne(Merchant, { id: merchantId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if ((await context.em.count(WebhookEndpoint, { merchantId, mode, removedAt: null })) >= maxEndpoints) {
    throw new AppError(
      'endpoint_limit_reached',
      `A merchant may have at most ${maxEndpoints} webhook endpoints in each mode`,
    );
  }
  const id = newId();
  const secret = newSigningSecret();
  const endpoint = Object.assign(new WebhookEndpoint(), {
    id,
    merchantId,
    mode,
    url,
    sealedSecret: context.sealer.seal(secret, id),
    secretLast4: secret.slice(-4),
    events: subscription(events),
    isActive: true,
    successCount: 0n,
    failureCount: 0n,
    lastDeliveredAt: null,
    createdAt: context.clock.now(),
    removedAt: null,
  });
  context.em.persist(endpoint);
  return { endpoint, secret };
}

export async function listWebhookEndpoints(context: Context & Called): Promise<WebhookEndpoint[]> {
  const { merchantId, mode } = context.principal;
  return context.em.find(WebhookEndpoint, { merchantId, mode, removedAt: null }, { orderBy: { id: 'desc' } });
}

/** Deliveries that still wait become `skipped` when they are next claimed. */
export async function removeWebhookEndpoint(context: WriteContext & Called, id: string): Promise<WebhookEndpoint> {
  const endpoint = await getWebhookEndpoint(context, id);
  endpoint.remove(context.clock.now());
  return endpoint;
}

/** Sends the sample event through the same rows, signer and sender as any other, once. */
export async function sendTestEvent(context: Context & Called, id: string): Promise<AttemptResult> {
  const endpoint = await getWebhookEndpoint(context, id);
  return deliverNow(context, endpoint, {
    name: 'test.event',
    data: {
      reference: 'ref_00000000000000000000',
      amount: 500_000,
      currency: 'NGN',
      status: 'completed',
      customerEmail: 'customer@example.com',
    },
  });
}

async function getWebhookEndpoint(context: Context & Called, id: string): Promise<WebhookEndpoint> {
  const { merchantId, mode } = context.principal;
  const endpoint = await context.em.findOne(WebhookEndpoint, { id, merchantId, mode, removedAt: null });
  if (!endpoint) throw notFound();
  return endpoint;
}

function subscription(events: string[] | undefined): string {
  if (!events || events.includes('*')) return '*';
  return subscribable.filter((name) => events.includes(name)).join(',');
}
