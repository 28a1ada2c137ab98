import type { RevealedSecret, WebhookEndpoint as WebhookEndpointRecord } from '@tillhook/openapi';
import type { WebhookEndpoint } from './endpoint.entity.ts';
import type { OpenedSecrets } from './endpoints.service.ts';
import { maskedSecret } from './signing-secret.ts';

/** Only the response to a registration contains the whole secret of an endpoint. */
export function endpointView(
  endpoint: WebhookEndpoint,
  secret = maskedSecret(endpoint.secretLast4),
): WebhookEndpointRecord {
  return {
    id: endpoint.id,
    merchantId: endpoint.merchantId,
    url: endpoint.url,
    secret,
    events: endpoint.events,
    isActive: endpoint.isActive,
    mode: endpoint.mode,
    successCount: Number(endpoint.successCount),
    failureCount: Number(endpoint.failureCount),
    lastDeliveredAt: endpoint.lastDeliveredAt?.toISOString() ?? null,
    createdAt: endpoint.createdAt.toISOString(),
    ...(endpoint.disabledReason && { disabledReason: endpoint.disabledReason }),
    ...(endpoint.disabledAt && { disabledAt: endpoint.disabledAt.toISOString() }),
    ...(endpoint.secretRotation?.next && { nextSecretAt: endpoint.secretRotation.next.at }),
    ...(endpoint.secretRotation?.previous && { oldSecretEndsAt: endpoint.secretRotation.previous.until }),
  };
}

/** The user has just confirmed the password, so the secrets are shown in clear text. */
export function revealedSecretView({ endpoint, own, next }: OpenedSecrets): RevealedSecret {
  return { id: endpoint.id, secret: own, nextSecret: next?.secret ?? null };
}
