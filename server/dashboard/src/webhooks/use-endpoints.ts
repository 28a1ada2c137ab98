import type { UseQueryResult } from '@tanstack/react-query';
import type { Output, WebhookEndpoint } from '@tillhook/sdk/session';
import { useRead } from '../app/use-read.ts';

/** A mode has at most 16 endpoints, so one request returns them all. */
export function useEndpoints({ isLive = false } = {}): UseQueryResult<Output<'listWebhookEndpoints'>> {
  return useRead({
    key: ['webhooks'],
    read: (tillhook, options) => tillhook.webhookEndpoints.list({}, options),
    isLive,
  });
}

/** Undefined until the endpoints are loaded; null when the endpoint was removed. */
export function useEndpoint(id: string): WebhookEndpoint | null | undefined {
  const { data } = useEndpoints();
  return data && (data.webhooks.find((endpoint) => endpoint.id === id) ?? null);
}
