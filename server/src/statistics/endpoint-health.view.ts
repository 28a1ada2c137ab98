import type { EndpointHealthList, EndpointHealth as EndpointHealthValue } from '@tillhook/openapi';
import type { EndpointHealth } from './endpoint-health.service.ts';
import type { Span } from './span.ts';

export function endpointHealthListView({
  from,
  to,
  endpoints,
}: Span & { endpoints: EndpointHealth[] }): EndpointHealthList {
  return { from: from.toISOString(), to: to.toISOString(), endpoints: endpoints.map(endpointHealthView) };
}

function endpointHealthView({ endpoint: { id, url }, isFailing, hours }: EndpointHealth): EndpointHealthValue {
  return {
    id,
    url,
    isFailing,
    hours: hours.map(({ startsAt, delivered, failed, attempts, median, p95 }) => ({
      startsAt: startsAt.toISOString(),
      delivered,
      failed,
      attempts,
      median,
      p95,
    })),
  };
}
