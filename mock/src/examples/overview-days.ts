/**
 * The contract's example of the overview is a month by the day. A request for a week gets the last week of this month,
 * and the week before it. A request for one day, whose intervals are hours, or for more days gets the whole example.
 */
import type { ModelOperation, OperationOutput } from '@tillhook/openapi';
import type { Checked } from '../requests/request-check.ts';

type Overview = OperationOutput<'getOverview'>;
type Figures = Overview['now'];
type Interval = Overview['intervals'][number];

export function inDays({ id }: ModelOperation, { query }: Checked, body: unknown): unknown {
  if (id !== 'getOverview') return body;
  const overview = body as Overview;
  const asked = query.days === undefined ? 7 : Number(query.days);
  const { intervals, now, before } = overview;
  if (asked !== 7 || intervals.length < 2 * asked) return body;
  const days = intervals.slice(-asked);
  const daysBefore = intervals.slice(-2 * asked, -asked);
  const end = new Date(Date.parse(now.to) - asked * 86_400_000).toISOString();
  return {
    ...overview,
    days: asked,
    now: { ...now, ...figuresOf(days, now) },
    before: { ...before, ...figuresOf(daysBefore, before), to: end },
    intervals: days,
  };
}

function figuresOf(intervals: readonly Interval[], month: Figures) {
  const [first] = intervals;
  const payments = byCurrency(intervals.flatMap((one) => one.payments));
  const declined = payments.reduce((sum, { failed }) => sum + failed, 0);
  const ofMonth = month.payments.reduce((sum, { failed }) => sum + failed, 0);
  return {
    from: first?.startsAt ?? month.from,
    payments,
    volume: byCurrency(intervals.flatMap((one) => one.volume)),
    deliveries: month.deliveries && sumOf(intervals.map((one) => one.deliveries)),
    declines: month.declines
      .map((reason) => ({ ...reason, count: Math.round((reason.count * declined) / Math.max(ofMonth, 1)) }))
      .filter(({ count }) => count > 0),
  };
}

function byCurrency<Counts extends { currency: string }>(all: readonly Counts[]): Counts[] {
  const currencies = [...new Set(all.map(({ currency }) => currency))];
  return currencies.map((wanted) => sumOf(all.filter(({ currency }) => currency === wanted)));
}

function sumOf<Counts extends object>(all: readonly Counts[]): Counts {
  return all.reduce((sum, one) => {
    const fields = Object.entries(one).map(([name, value]) => [
      name,
      typeof value === 'number' ? value + Number(sum[name as keyof Counts]) : value,
    ]);
    return Object.fromEntries(fields);
  });
}
