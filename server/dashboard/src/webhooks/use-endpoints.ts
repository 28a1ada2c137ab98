import type { UseQueryResult } from '@tanstack/react-query';
import type { Output, WebhookEndpoint } from '@tillhook/sdk/session';
import { useRead } from '../app/use-read.ts';

/** All endpoints of the mode. They are at most 16, so they are always read together. */
export function useEndpoints({ isLive = false } = {}): UseQueryResult<Output<'listWebhookEndpoints'>> {
  return useRead({
    key: ['webhooks'],
    read: (tillhook, options) => tillhook.webhookEndpoints.list({}, options),
    isLive,
  });
}

/** Undefined until the endpoints are read. Null when the endpoint was removed. */
export function useEndpoint(id: string): WebhookEndpoint | null | undefined {
  const { data } = useEndpoints();
  return data && (data.webhooks.find((endpoint) => endpoint.id === id) ?? null);
}
