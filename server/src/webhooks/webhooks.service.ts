import { LockMode } from '@mikro-orm/core';
import { lockOwnMerchant } from '../auth/merchants/merchants.service.ts';
import type { Called, Context, WriteContext } from '../context.ts';
import { AppError, notFound } from '../kit/errors.ts';
import { newId } from '../kit/ids.ts';
import { maxEndpoints, WebhookEndpoint } from './endpoint.entity.ts';
import { newSigningSecret } from './signing-secret.ts';
import { subscription } from './subscription.ts';

interface Registration {
  url: string;
  events?: string[];
}

/**
 * For reading: the transaction does not save the endpoint. Reading settles its secrets, and saving these at the end of a long
 * transaction would overwrite what a rotation has committed meanwhile.
 * See docs/decisions/delivery.md, "An endpoint that is only read is never saved".
 */
const unsaved = { disableIdentityMap: true };

export interface EndpointChange {
  url?: string;
  events?: string[];
  isActive?: boolean;
}

/** Registers an endpoint. The secret is returned beside it: the only moment at which a key is shown it. */
export async function registerWebhookEndpoint(context: WriteContext & Called, { url, events }: Registration) {
  const { merchantId, mode } = context.principal;
  // Two at once cannot both be the sixteenth.
  await lockOwnMerchant(context);
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
    secretRotation: null,
    events: subscription(events),
    isActive: true,
    disabledReason: null,
    disabledAt: null,
    failureStreak: 0,
    successCount: 0n,
    failureCount: 0n,
    lastDeliveredAt: null,
    testedAt: null,
    createdAt: context.clock.now(),
    removedAt: null,
  });
  context.em.persist(endpoint);
  return { endpoint, secret };
}

export async function listWebhookEndpoints(context: Context & Called): Promise<WebhookEndpoint[]> {
  const { merchantId, mode } = context.principal;
  const where = { merchantId, mode, removedAt: null };
  const endpoints = await context.em.find(WebhookEndpoint, where, { ...unsaved, orderBy: { id: 'desc' } });
  for (const endpoint of endpoints) endpoint.settleSecrets(context.clock.now());
  return endpoints;
}

/** In the clear, for whoever may see them. */
export interface ShownSecrets {
  endpoint: WebhookEndpoint;
  /** Makes both signatures of a webhook. */
  own: string;
  /** Staged: becomes the endpoint's own at this time. */
  next: { secret: string; at: Date } | null;
}

/** Opens what no key is shown again. Whether the caller may see it is for the caller to ask, and to note. */
export async function revealWebhookSecret(context: Context & Called, id: string): Promise<ShownSecrets> {
  const { sealer } = context;
  const endpoint = await getWebhookEndpoint(context, id);
  const { sealedSecret, secretRotation } = endpoint;
  const next = secretRotation?.next;
  return {
    endpoint,
    own: sealer.open(sealedSecret, id),
    next: next ? { secret: sealer.open(next.sealed, id), at: new Date(next.at) } : null,
  };
}

/** For reading alone: no change to it is saved. Its secrets are as they are at this moment; see `sealedSecretsAt`. */
export async function getWebhookEndpoint(context: Context & Called, id: string): Promise<WebhookEndpoint> {
  return getEndpoint(context, id, unsaved);
}

/** For changing: it is locked, so that every other change waits and none is made on a state that is out of date. */
export async function getLockedEndpoint(context: WriteContext & Called, id: string): Promise<WebhookEndpoint> {
  return getEndpoint(context, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
}

/** What waits goes to the new address, because an address belongs to the endpoint and not to what is owed to it. */
export async function updateWebhookEndpoint(
  context: WriteContext & Called,
  id: string,
  { url, events, isActive }: EndpointChange,
): Promise<WebhookEndpoint> {
  const endpoint = await getLockedEndpoint(context, id);
  if (url !== undefined) endpoint.url = url;
  if (events !== undefined) endpoint.events = subscription(events);
  if (isActive === true) endpoint.enable();
  if (isActive === false) endpoint.pause();
  return endpoint;
}

/** Deliveries that still wait become `skipped` when they are next claimed. */
export async function removeWebhookEndpoint(context: WriteContext & Called, id: string): Promise<WebhookEndpoint> {
  const endpoint = await getLockedEndpoint(context, id);
  endpoint.remove(context.clock.now());
  return endpoint;
}

async function getEndpoint(
  context: Context & Called,
  id: string,
  how: { lockMode: LockMode } | typeof unsaved,
): Promise<WebhookEndpoint> {
  const { merchantId, mode } = context.principal;
  const endpoint = await context.em.findOne(WebhookEndpoint, { id, merchantId, mode, removedAt: null }, how);
  if (!endpoint) throw notFound();
  endpoint.settleSecrets(context.clock.now());
  return endpoint;
}
