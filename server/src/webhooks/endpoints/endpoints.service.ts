import { LockMode } from '@mikro-orm/core';
import type { Context, WithOwner, WithPrincipal, WriteContext } from '../../context.ts';
import { refusesAddress } from '../../kit/address-policy.ts';
import { AppError, invalid, notFound } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { resolveHost } from '../../kit/resolve-host.ts';
import { checkWebAddress, hostOf, refusedAddress } from '../../kit/web-address.ts';
import { lockOwnMerchant } from '../../people/merchants/merchants.service.ts';
import { run } from '../../platform/database/statement.ts';
import { maxEndpoints, WebhookEndpoint } from './endpoint.entity.ts';
import { newSigningSecret } from './signing-secret.ts';
import { subscription } from './subscription.ts';

interface Registration {
  url: string;
  events?: string[];
}

export interface EndpointChange {
  url?: string;
  events?: string[];
  isActive?: boolean;
}

/** No later call with an API key returns the secret of the endpoint. */
export async function registerWebhookEndpoint(context: WriteContext & WithPrincipal, { url, events }: Registration) {
  const { merchantId, mode } = context.principal;
  // The lock makes concurrent registrations wait, so that two registrations cannot both create the sixteenth endpoint.
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
    failingSince: null,
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

/**
 * Choice: a host name that does not resolve is accepted, because its DNS record may not exist yet. The sender checks
 * the address of every connection again.
 */
export async function checkEndpointUrl(context: Context, address: string): Promise<void> {
  checkWebAddress('url', address, { withoutFragment: true });
  const answers = await resolveHost(hostOf(new URL(address)), resolveWithinMs).catch(() => []);
  if (answers.some((answer) => refusesAddress(answer.address, context.config.webhookAllowCidrs))) {
    throw invalid('invalid_url', 'url', refusedAddress);
  }
}

const resolveWithinMs = 1000;

/**
 * Reading an endpoint updates its secrets in memory. Saving them could overwrite a rotation committed meanwhile.
 * See docs/decisions/delivery.md, "An endpoint that is only read is never saved".
 */
const readOnly = { disableIdentityMap: true };

export async function listWebhookEndpoints(context: Context & WithOwner): Promise<WebhookEndpoint[]> {
  const { merchantId, mode } = context.principal;
  const where = { merchantId, mode, removedAt: null };
  const endpoints = await context.em.find(WebhookEndpoint, where, { ...readOnly, orderBy: { id: 'desc' } });
  for (const endpoint of endpoints) endpoint.completeRotation(context.clock.now());
  return endpoints;
}

export interface OpenedSecrets {
  endpoint: WebhookEndpoint;
  own: string;
  next: { secret: string; at: Date } | null;
}

/** The caller must check that the user may see the secrets, and must audit the call. */
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

/** Changes to the returned entity are not saved. */
export async function getWebhookEndpoint(context: Context & WithOwner, id: string): Promise<WebhookEndpoint> {
  return getEndpoint(context, id, readOnly);
}

/** Returns an endpoint of any merchant, for an operator's command. Changes to the returned entity are not saved. */
export async function getEndpointOfAnyMerchant(context: Context, id: string): Promise<WebhookEndpoint> {
  const endpoint = await context.em.findOne(WebhookEndpoint, { id, removedAt: null }, readOnly);
  if (!endpoint) throw new AppError('resource_not_found', `There is no webhook endpoint ${id}`);
  endpoint.completeRotation(context.clock.now());
  return endpoint;
}

/** Locks the row of the endpoint, so that each change sees the result of the previous change. */
export async function getLockedEndpoint(context: WriteContext & WithPrincipal, id: string): Promise<WebhookEndpoint> {
  return getEndpoint(context, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
}

/** A new URL also applies to pending deliveries, because the URL belongs to the endpoint. */
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
 * Retries of a removed endpoint become due now, because the log would otherwise show their next attempt for hours. Rows
 * that a dispatcher has locked are skipped, because the dispatcher may wait for the endpoint's row: a deadlock.
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
  endpoint.completeRotation(context.clock.now());
  return endpoint;
}
