import type { Overview as OverviewValue } from '@tillhook/openapi';
import { amountInJson } from '../kit/money.ts';
import type { Attention } from './attention.service.ts';
import type { Figures, Overview } from './overview.service.ts';
import { countsView, deliveryCountView, paymentCountView } from './statistics.view.ts';
import type { Volume } from './volume.service.ts';

export function overviewView(overview: Overview): OverviewValue {
  const { days, interval, timeZone, deliveriesKeptFrom, now, before, intervals, attention, firstSteps } = overview;
  return {
    days,
    interval,
    timeZone,
    deliveriesKeptFrom: deliveriesKeptFrom.toISOString(),
    now: figuresView(now),
    before: figuresView(before),
    intervals: intervals.map((each) => ({
      startsAt: each.startsAt.toISOString(),
      ...countsView(each),
      volume: each.volume.map(volumeView),
    })),
    attention: attention.map(attentionView),
    firstSteps,
  };
}

function figuresView({ from, to, volume, payments, deliveries, answers, declines }: Figures) {
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    volume: volume.map(volumeView),
    payments: payments.map(paymentCountView),
    deliveries: deliveries && deliveryCountView(deliveries),
    answers,
    declines,
  };
}

// A database row has more fields than the contract, so each field is copied by its name.
function volumeView({ currency, payments, gross, refunds, fees }: Volume) {
  return {
    currency,
    payments,
    gross: amountInJson(gross),
    refunds: amountInJson(refunds),
    fees: amountInJson(fees),
    net: amountInJson(gross - refunds - fees),
  };
}

function attentionView({ since, until, ...rest }: Attention) {
  return { ...rest, since: since?.toISOString() ?? null, until: until?.toISOString() ?? null };
}
