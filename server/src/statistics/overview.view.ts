import type { Overview as OverviewValue } from '@tillhook/openapi';
import type { Attention } from './attention.service.ts';
import type { Figures, Overview } from './overview.service.ts';
import { countsView, deliveryCountView, paymentCountView } from './statistics.view.ts';

export function overviewView(overview: Overview): OverviewValue {
  const { days, interval, deliveriesKeptFrom, now, before, intervals, attention, firstSteps } = overview;
  return {
    days,
    interval,
    deliveriesKeptFrom: deliveriesKeptFrom.toISOString(),
    now: figuresView(now),
    before: figuresView(before),
    intervals: intervals.map((each) => ({ startsAt: each.startsAt.toISOString(), ...countsView(each) })),
    attention: attention.map(attentionView),
    firstSteps,
  };
}

function figuresView({ from, to, payments, deliveries, answers, declines }: Figures) {
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    payments: payments.map(paymentCountView),
    deliveries: deliveries && deliveryCountView(deliveries),
    answers,
    declines,
  };
}

function attentionView({ since, until, ...rest }: Attention) {
  return { ...rest, since: since?.toISOString() ?? null, until: until?.toISOString() ?? null };
}
