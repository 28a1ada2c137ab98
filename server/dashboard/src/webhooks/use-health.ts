import type { Output } from '@tillhook/sdk/session';
import { useRead } from '../app/use-read.ts';

export type EndpointHealth = Output<'listEndpointHealth'>['endpoints'][number];
export type Hour = EndpointHealth['hours'][number];

/** Keyed by endpoint id; undefined until the data is loaded. */
export function useHealth(): ReadonlyMap<string, EndpointHealth> | undefined {
  const { data, isPending } = useRead({
    key: ['webhooks', 'health'],
    read: (tillhook, options) => tillhook.webhookEndpoints.listHealth({ hours: 24 }, options),
    isLive: true,
    everyMs: 15_000,
  });
  return isPending ? undefined : new Map(data?.endpoints.map((endpoint) => [endpoint.id, endpoint]));
}

/** The counts of all hours together. */
export function sumOf(hours: readonly Hour[]): Sum {
  const sum = { delivered: 0, failed: 0, retrying: 0, attempts: 0, failedAttempts: 0 };
  for (const hour of hours) for (const name of Object.keys(sum) as (keyof Sum)[]) sum[name] += hour[name];
  return sum;
}

type Sum = Record<'delivered' | 'failed' | 'retrying' | 'attempts' | 'failedAttempts', number>;
