import type { Output } from '@tillhook/sdk/session';
import { useRead } from '../app/use-read.ts';

export type EndpointHealth = Output<'listEndpointHealth'>['endpoints'][number];
export type Hour = EndpointHealth['hours'][number];

/** Keyed by endpoint id; undefined until the data is loaded. */
export function useHealth(): ReadonlyMap<string, EndpointHealth> | undefined {
  const { data, isPending } = useRead({
    key: ['webhooks', 'health'],
    read: (tillhook, options) => tillhook.webhookEndpoints.listHealth({ hours: 24 }, options),
  });
  return isPending ? undefined : new Map(data?.endpoints.map((endpoint) => [endpoint.id, endpoint]));
}

interface Sum {
  delivered: number;
  failed: number;
}

export function endedIn(hours: readonly Hour[]): Sum {
  return hours.reduce(
    (sum, hour) => ({ delivered: sum.delivered + hour.delivered, failed: sum.failed + hour.failed }),
    { delivered: 0, failed: 0 },
  );
}
