/** Counts the figures of the overview in plain loops over the rows. The results of the SQL must equal these figures. */
import type { DeliveryRow, PaymentRow, Rows } from './generated-rows.ts';

const dayMs = 86_400_000;
const quarterMs = 900_000;

export interface Time {
  from: number;
  to: number;
}

interface Row {
  owner: number;
  mode: string;
  at: number;
}

const own = <Each extends Row>(rows: Each[], { from, to }: Time): Each[] =>
  rows.filter(({ owner, mode, at }) => owner === 0 && mode === 'test' && at >= from && at < to);

export function paymentsCounted(rows: PaymentRow[], time: Time) {
  const within = own(rows, time);
  const currencies = [...new Set(within.map(({ currency }) => currency))].sort();
  return currencies.map((currency) => {
    const count = { currency, created: 0, completed: 0, failed: 0, expired: 0, amount: 0 };
    for (const payment of within) {
      if (payment.currency !== currency) continue;
      count.created += 1;
      if (payment.status === 'failed') count.failed += 1;
      if (payment.status === 'expired') count.expired += 1;
      if (payment.status !== 'completed') continue;
      count.completed += 1;
      count.amount += payment.amount;
    }
    return count;
  });
}

export function deliveriesCounted(rows: DeliveryRow[], time: Time) {
  const count = {
    created: 0,
    delivered: 0,
    failed: 0,
    skipped: 0,
    pending: 0,
    retrying: 0,
    attempts: 0,
    failedAttempts: 0,
  };
  for (const { status, attempts } of own(rows, time)) {
    count.created += 1;
    count[status] += 1;
    count.attempts += attempts.length;
    count.failedAttempts += attempts.filter(({ statusCode }) => statusCode !== 200).length;
    if (status === 'pending' && attempts.length > 0) count.retrying += 1;
  }
  return count;
}

export function answersTimed(rows: DeliveryRow[], time: Time) {
  const attempts = own(rows, time).flatMap((delivery) => delivery.attempts);
  const timed = attempts.filter(({ statusCode, error }) => statusCode !== null || error?.endsWith('timeout'));
  return timesOf(timed.map(({ durationMs }) => durationMs));
}

/** The median and the 95th percentile are measured times, and never interpolated. */
export function timesOf(durationsMs: number[]) {
  const sorted = durationsMs.toSorted((one, other) => one - other);
  const within = (share: number) => sorted.find((_, index) => (index + 1) / sorted.length >= share) ?? null;
  return { answered: sorted.length, median: within(0.5), p95: within(0.95) };
}

/**
 * Counts the declines of each code. If a code has several messages, it gets the most frequent message; of equally
 * frequent messages, the alphabetically first.
 */
export function declinesCounted(rows: PaymentRow[], time: Time) {
  const byCode = Map.groupBy(
    own(rows, time).flatMap(({ failure }) => (failure ? [failure] : [])),
    ([code]) => code,
  );
  return [...byCode]
    .map(([code, failures]) => ({
      code,
      message: commonest(failures.map(([, message]) => message)),
      count: failures.length,
    }))
    .sort((one, other) => other.count - one.count || (one.code < other.code ? -1 : 1));
}

function commonest(texts: string[]): string {
  const counts = [...Map.groupBy(texts, (text) => text)].map(([text, same]) => ({ text, count: same.length }));
  counts.sort((one, other) => other.count - one.count || (one.text < other.text ? -1 : 1));
  return counts[0]?.text ?? '';
}

export function healthCounted(
  rows: DeliveryRow[],
  { now, hours, endpoints }: { now: Date; hours: number; endpoints: string[] },
) {
  const hourMs = 3_600_000;
  const present = Math.floor(now.getTime() / hourMs) * hourMs;
  return endpoints.map((id, endpoint) => ({
    id,
    hours: Array.from({ length: hours }, (_, index) => {
      const from = present - (hours - 1 - index) * hourMs;
      const time = { from, to: Math.min(from + hourMs, now.getTime()) };
      const deliveries = rows.filter((row) => row.endpoint === endpoint);
      const { delivered, failed, retrying, attempts, failedAttempts } = deliveriesCounted(deliveries, time);
      const { median, p95 } = answersTimed(deliveries, time);
      const startsAt = new Date(from).toISOString();
      return { startsAt, delivered, failed, retrying, attempts, failedAttempts, median, p95 };
    }),
  }));
}

export function overviewCounted(
  { payments, deliveries }: Rows,
  { now, days, keptDays }: { now: Date; days: number; keptDays: number },
) {
  const midnight = Math.floor(now.getTime() / dayMs) * dayMs;
  const keptFrom = now.getTime() - keptDays * dayMs;
  const present = { from: midnight - (days - 1) * dayMs, to: now.getTime() };
  const sameTime = Math.floor((present.to - days * dayMs) / quarterMs) * quarterMs;
  const earlier = { from: present.from - days * dayMs, to: sameTime };
  const kept = (time: Time) => ({ ...time, from: Math.max(time.from, keptFrom) });
  const figures = (time: Time, isComparable: boolean) => ({
    from: new Date(time.from).toISOString(),
    to: new Date(time.to).toISOString(),
    // These payments were never posted to the ledger.
    volume: [],
    payments: paymentsCounted(payments, time),
    deliveries: isComparable ? deliveriesCounted(deliveries, kept(time)) : null,
    answers: isComparable ? answersTimed(deliveries, kept(time)) : null,
    declines: declinesCounted(payments, time),
  });
  const lengthMs = days === 1 ? 3_600_000 : dayMs;
  const count = Math.ceil((present.to - present.from) / lengthMs);
  const intervals = Array.from({ length: count }, (_, index) => {
    const from = present.from + index * lengthMs;
    const time = { from, to: Math.min(from + lengthMs, present.to) };
    return {
      startsAt: new Date(from).toISOString(),
      payments: paymentsCounted(payments, time),
      deliveries: deliveriesCounted(deliveries, kept(time)),
      volume: [],
    };
  });
  return { now: figures(present, true), before: figures(earlier, earlier.from >= keptFrom), intervals };
}
