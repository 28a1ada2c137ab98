import type { Called, Context } from '../context.ts';
import { LedgerAccount } from '../wallets/ledger-account.entity.ts';
import type { WebhookEndpoint } from '../webhooks/endpoint.entity.ts';

export interface FirstSteps {
  endpointCreated: boolean;
  testEventSent: boolean;
  paymentCompleted: boolean;
  deliveryAccepted: boolean;
}

/**
 * What an account has done so far, in this mode. Choice: read from rows that stay, because events and deliveries are purged; an
 * account that removed its endpoints has these steps before it again.
 */
export async function firstStepsOf(
  { em, principal: { merchantId, mode } }: Context & Called,
  endpoints: readonly WebhookEndpoint[],
): Promise<FirstSteps> {
  return {
    endpointCreated: endpoints.length > 0,
    testEventSent: endpoints.some(({ testedAt }) => testedAt),
    // The first payment opens the account, and nothing closes it.
    paymentCompleted: (await em.count(LedgerAccount, { merchantId, mode, kind: 'collection' })) > 0,
    deliveryAccepted: endpoints.some(({ lastDeliveredAt }) => lastDeliveredAt),
  };
}
