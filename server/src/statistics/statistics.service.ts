/** Payments and deliveries are counted by their time of creation, by which the lists filter, too. */
import type { Context, WithPrincipal } from '../context.ts';
import type { WebhookEndpoint } from '../webhooks/endpoints/endpoint.entity.ts';
import { listWebhookEndpoints } from '../webhooks/endpoints/endpoints.service.ts';
import { splitByHours } from '../webhooks/log/closed-hours.service.ts';
import {
  type Counts,
  countDeliveries,
  countPayments,
  countsByInterval,
  totalDeliveries,
  totalPayments,
} from './counts.service.ts';
import { type Span, type SpanQuery, spanOf } from './span.ts';

export interface Statistics extends Counts, Span {
  intervals: (Counts & { startsAt: Date })[];
  failingEndpoints: WebhookEndpoint[];
}

export async function getStatistics(context: Context & WithPrincipal, query: SpanQuery): Promise<Statistics> {
  const span = spanOf(query, context.clock.now());
  const payments = await countPayments(context, span);
  const deliveries = await countDeliveries(context, { span, period: await splitByHours(context, span) });
  return {
    ...span,
    payments: totalPayments(payments),
    deliveries: totalDeliveries(deliveries),
    intervals: countsByInterval(span, payments, deliveries),
    failingEndpoints: (await listWebhookEndpoints(context)).filter(isFailing),
  };
}

/** Whether the endpoint's last delivery failed, or the service disabled the endpoint because deliveries failed. */
export function isFailing({ failureStreak, disabledReason }: WebhookEndpoint): boolean {
  return failureStreak > 0 || Boolean(disabledReason);
}
