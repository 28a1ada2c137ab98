import type { Statistics as StatisticsValue } from '@tillhook/openapi';
import { amountInJson } from '../kit/money.ts';
import type { WebhookEndpoint } from '../webhooks/endpoints/endpoint.entity.ts';
import { type Counts, type DeliveryCount, failedAttempts, type PaymentCount } from './counts.service.ts';
import type { Statistics } from './statistics.service.ts';

export function statisticsView(statistics: Statistics): StatisticsValue {
  const { from, to, interval, intervals, failingEndpoints } = statistics;
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    interval,
    ...countsView(statistics),
    intervals: intervals.map((each) => ({ startsAt: each.startsAt.toISOString(), ...countsView(each) })),
    failingEndpoints: failingEndpoints.map(failingEndpointView),
  };
}

export function countsView({ payments, deliveries }: Counts) {
  return { payments: payments.map(paymentCountView), deliveries: deliveryCountView(deliveries) };
}

// A database row has more fields than the contract, so each field is copied by its name.
export function paymentCountView({
  currency,
  created,
  completed,
  failed,
  expired,
  amount,
}: PaymentCount): StatisticsValue['payments'][number] {
  return { currency, created, completed, failed, expired, amount: amountInJson(amount) };
}

export function deliveryCountView(count: DeliveryCount): StatisticsValue['deliveries'] {
  const { created, delivered, failed, skipped, pending, retrying, attempts } = count;
  return { created, delivered, failed, skipped, pending, retrying, attempts, failedAttempts: failedAttempts(count) };
}

function failingEndpointView({ id, url, isActive, failureStreak, lastDeliveredAt, disabledReason }: WebhookEndpoint) {
  return {
    id,
    url,
    isActive,
    failuresInARow: failureStreak,
    lastDeliveredAt: lastDeliveredAt?.toISOString() ?? null,
    disabledReason: disabledReason ?? null,
  };
}
