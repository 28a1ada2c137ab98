import type { CallOptions, Overview, TillhookSession } from '@tillhook/sdk/session';

/** The default number of days that Home shows, when the address has no `days`. */
export const usualDays = '7';

/** Returns the request for the figures of Home, for `useRead`. */
export function overviewRead(days: string) {
  return {
    key: ['statistics', days],
    read: (tillhook: TillhookSession, options: CallOptions) =>
      tillhook.statistics.getOverview({ days: Number(days) as Overview['days'] }, options),
  };
}
