import type { CallOptions, Overview, TillhookSession } from '@tillhook/sdk/session';

/** The number of days that Home shows when the address does not name one. */
export const usualDays = '7';

/** The figures of Home, as `useRead` reads them. */
export function overviewRead(days: string) {
  return {
    key: ['statistics', days],
    read: (tillhook: TillhookSession, options: CallOptions) =>
      tillhook.statistics.getOverview({ days: Number(days) as Overview['days'] }, options),
  };
}
