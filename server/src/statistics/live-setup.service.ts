/** What a merchant still needs before customers can pay it real money. */
import type { Context, WithPrincipal } from '../context.ts';
import type { Mode } from '../kit/mode.ts';
import { ApiKey } from '../people/keys/api-key.entity.ts';
import { getOwnMerchant } from '../people/merchants/merchants.service.ts';
import { WebhookEndpoint } from '../webhooks/endpoints/endpoint.entity.ts';

export interface LiveNeed {
  kind: 'payment_processor' | 'payout_processor' | 'business_details' | 'api_key' | 'webhook_endpoint';
  isMet: boolean;
}

/** The same in both modes. */
export async function listLiveNeeds(context: Context & WithPrincipal): Promise<LiveNeed[]> {
  const { em, processors, payouts, principal } = context;
  const { supportEmail, supportUrl } = await getOwnMerchant(context);
  const endpoints = { merchantId: principal.merchantId, mode: 'live', isActive: true, removedAt: null } as const;
  return [
    { kind: 'payment_processor', isMet: processors.live !== undefined },
    { kind: 'payout_processor', isMet: payouts.serves('live') },
    { kind: 'business_details', isMet: Boolean(supportEmail ?? supportUrl) },
    { kind: 'api_key', isMet: await hasApiKey(context, 'live') },
    { kind: 'webhook_endpoint', isMet: (await em.count(WebhookEndpoint, endpoints)) > 0 },
  ];
}

/** A merchant without transfers needs no payout processor. */
export async function isLiveReady(context: Context & WithPrincipal): Promise<boolean> {
  const needs = await listLiveNeeds(context);
  return needs.every(({ kind, isMet }) => isMet || kind === 'payout_processor');
}

export async function hasApiKey({ em, clock, principal }: Context & WithPrincipal, mode: Mode): Promise<boolean> {
  const unexpired = [{ expiresAt: null }, { expiresAt: { $gt: clock.now() } }];
  return (await em.count(ApiKey, { merchant: principal.merchantId, mode, revokedAt: null, $or: unexpired })) > 0;
}
