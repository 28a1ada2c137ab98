import type { CallOptions, Overview, TillhookSession } from '@tillhook/sdk/session';

/** How many days Home looks at when its address does not say. */
export const usualDays = '7';

/** The figures of Home, as `useRead` reads them. */
export function overviewRead(days: string) {
  return {
    key: ['statistics', days],
    read: (tillhook: TillhookSession, options: CallOptions) =>
      tillhook.statistics.getOverview({ days: Number(days) as Overview['days'] }, options),
  };
}
