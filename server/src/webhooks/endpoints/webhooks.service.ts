import { LockMode } from '@mikro-orm/core';
import type { Context, WithOwner, WithPrincipal, WriteContext } from '../../context.ts';
import { AppError, notFound } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { lockOwnMerchant } from '../../people/merchants/merchants.service.ts';
import { run } from '../../platform/database/statement.ts';
import { maxEndpoints, WebhookEndpoint } from './endpoint.entity.ts';
import { newSigningSecret } from './signing-secret.ts';
import { subscription } from './subscription.ts';

interface Registration {
  url: string;
  events?: string[];
}

/**
 * An option for reading: the transaction does not save the endpoint. Reading updates the secrets in memory, and saving
 * them at the end of a long transaction could overwrite a rotation that was committed meanwhile.
 * See docs/decisions/delivery.md, "An endpoint that is only read is never saved".
 */
const readOnly = { disableIdentityMap: true };

export interface EndpointChange {
  url?: string;
  events?: string[];
  isActive?: boolean;
}

/** Registers an endpoint, and returns its secret with it. No later call with an API key shows this secret again. */
export async function registerWebhookEndpoint(context: WriteContext & WithPrincipal, { url, events }: Registration) {
  const { merchantId, mode } = context.principal;
  // The lock makes concurrent registrations wait, so that two of them cannot both become the sixteenth endpoint.
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

export async function listWebhookEndpoints(context: Context & WithOwner): Promise<WebhookEndpoint[]> {
  const { merchantId, mode } = context.principal;
  const where = { merchantId, mode, removedAt: null };
  const endpoints = await context.em.find(WebhookEndpoint, where, { ...readOnly, orderBy: { id: 'desc' } });
  for (const endpoint of endpoints) endpoint.settleSecrets(context.clock.now());
  return endpoints;
}

/** The secrets of an endpoint in clear text. */
export interface OpenedSecrets {
  endpoint: WebhookEndpoint;
  /** The endpoint's own secret, which makes both signatures of a webhook. */
  own: string;
  /** The staged secret, which becomes the endpoint's own at the time `at`. */
  next: { secret: string; at: Date } | null;
}

/**
 * Returns the secrets in clear text. The calling code must check that the user may see them, and must audit the call.
 */
export async function revealWebhookSecret(context: Context & WithPrincipal, id: string): Promise<OpenedSecrets> {
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

/** Reads the endpoint; no change to it is saved. Its secrets are those in use at this moment; see `sealedSecretsAt`. */
export async function getWebhookEndpoint(context: Context & WithOwner, id: string): Promise<WebhookEndpoint> {
  return getEndpoint(context, id, readOnly);
}

/** For an operator's command, which names an endpoint of any merchant. Reads it as `getWebhookEndpoint` does. */
export async function getEndpointOfAnyMerchant(context: Context, id: string): Promise<WebhookEndpoint> {
  const endpoint = await context.em.findOne(WebhookEndpoint, { id, removedAt: null }, readOnly);
  if (!endpoint) throw new AppError('resource_not_found', `There is no webhook endpoint ${id}`);
  endpoint.settleSecrets(context.clock.now());
  return endpoint;
}

/**
 * Reads the endpoint to change it. Its row is locked, so that changes
 * happen one after another, each on the latest state.
 */
export async function getLockedEndpoint(context: WriteContext & WithPrincipal, id: string): Promise<WebhookEndpoint> {
  return getEndpoint(context, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
}

/** Pending deliveries go to the new address too, because the address belongs to the endpoint and not to a delivery. */
export async function updateWebhookEndpoint(
  context: WriteContext & WithPrincipal,
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

/**
 * Removes the endpoint. The next claim ends its pending deliveries as `skipped`. They are made due now, because a retry
 * would otherwise be shown with a next attempt for hours. Rows that a dispatcher holds are left out: the dispatcher
 * locks them before the endpoint, and the removal would wait for it while it waits for the removal.
 */
export async function removeWebhookEndpoint(
  context: WriteContext & WithPrincipal,
  id: string,
): Promise<WebhookEndpoint> {
  const endpoint = await getLockedEndpoint(context, id);
  endpoint.remove(context.clock.now());
  const count = await run(context)`
    update pending_delivery set due_at = now() where delivery_id in (
      select delivery_id from pending_delivery where endpoint_id = ${id} and is_retry = true and due_at > now()
      for update skip locked)`;
  if (count > 0) context.afterCommit(context.bell.ring);
  return endpoint;
}

async function getEndpoint(
  context: Context & WithOwner,
  id: string,
  how: { lockMode: LockMode } | typeof readOnly,
): Promise<WebhookEndpoint> {
  const { merchantId, mode } = context.principal;
  const endpoint = await context.em.findOne(WebhookEndpoint, { id, merchantId, mode, removedAt: null }, how);
  if (!endpoint) throw notFound();
  endpoint.settleSecrets(context.clock.now());
  return endpoint;
}
