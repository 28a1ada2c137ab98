import type { EndpointHealthList, EndpointHealth as EndpointHealthValue } from '@tillhook/openapi';
import { failedAttempts } from './counts.service.ts';
import type { EndpointHealth } from './endpoint-health.service.ts';
import type { Span } from './span.ts';

export function endpointHealthListView({
  from,
  to,
  endpoints,
}: Span & { endpoints: EndpointHealth[] }): EndpointHealthList {
  return { from: from.toISOString(), to: to.toISOString(), endpoints: endpoints.map(endpointHealthView) };
}

function endpointHealthView({
  endpoint: { id, url },
  isFailing,
  failingSince,
  hours,
}: EndpointHealth): EndpointHealthValue {
  return {
    id,
    url,
    isFailing,
    failingSince: failingSince?.toISOString() ?? null,
    hours: hours.map(({ startsAt, delivered, failed, retrying, attempts, median, p95 }) => ({
      startsAt: startsAt.toISOString(),
      delivered,
      failed,
      retrying,
      attempts,
      failedAttempts: failedAttempts({ attempts, delivered }),
      median,
      p95,
    })),
  };
}
