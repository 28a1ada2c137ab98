import type { Context, WithPrincipal } from '../context.ts';
import { LedgerAccount } from '../money/wallets/ledger-account.entity.ts';
import type { WebhookEndpoint } from '../webhooks/endpoints/endpoint.entity.ts';

export interface FirstSteps {
  endpointCreated: boolean;
  testEventSent: boolean;
  paymentCompleted: boolean;
  deliveryAccepted: boolean;
}

/**
 * Which of the first steps a merchant has taken in this mode. Choice: this reads rows that are never purged, unlike
 * events and deliveries. A merchant that removed its endpoints has to take their steps again.
 */
export async function getFirstSteps(
  { em, principal: { merchantId, mode } }: Context & WithPrincipal,
  endpoints: readonly WebhookEndpoint[],
): Promise<FirstSteps> {
  return {
    endpointCreated: endpoints.length > 0,
    testEventSent: endpoints.some(({ testedAt }) => testedAt),
    // The first completed payment creates this ledger account, and no code deletes it.
    paymentCompleted: (await em.count(LedgerAccount, { merchantId, mode, kind: 'collection' })) > 0,
    deliveryAccepted: endpoints.some(({ lastDeliveredAt }) => lastDeliveredAt),
  };
}
