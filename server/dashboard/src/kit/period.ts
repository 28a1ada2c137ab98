import { fromLocal, toLocal } from './local-moment.ts';

export const periodNames = ['today', 'yesterday', 'last_7_days', 'this_month', 'last_month'] as const;

export type PeriodName = (typeof periodNames)[number];

export const periodWords: Record<PeriodName, string> = {
  today: 'Today',
  yesterday: 'Yesterday',
  last_7_days: 'Last 7 days',
  this_month: 'This month',
  last_month: 'Last month',
};

interface Times {
  from?: string | undefined;
  to?: string | undefined;
}

/**
 * Replaces a named period by its moments. The URL keeps the name, so that a saved view of today shows another day
 * tomorrow.
 */
export function withTimes<Filters extends Times & { period?: PeriodName }>({
  period,
  ...filters
}: Filters): Omit<Filters, 'period'> {
  return period === undefined ? filters : { ...filters, ...timesOf(period, Date.now()) };
}

/** Days begin at midnight in the time zone of the user. */
export function timesOf(period: PeriodName, now: number): Times {
  const today = toLocal(new Date(now).toISOString()).slice(0, 10);
  switch (period) {
    case 'today':
      return { from: startOf(today) };
    case 'yesterday':
      return { from: startOf(daysBefore(today, 1)), to: startOf(today) };
    case 'last_7_days':
      return { from: startOf(daysBefore(today, 6)) };
    case 'this_month':
      return { from: startOf(monthOf(today)) };
    case 'last_month':
      return { from: startOf(monthOf(daysBefore(monthOf(today), 1))), to: startOf(monthOf(today)) };
  }
}

/** The first day of the month. */
function monthOf(day: string): string {
  return `${day.slice(0, 8)}01`;
}

function startOf(day: string): string {
  return fromLocal(`${day}T00:00`);
}

function daysBefore(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00Z`) - days * 86_400_000).toISOString().slice(0, 10);
}
