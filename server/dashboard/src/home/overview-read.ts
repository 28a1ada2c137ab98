import type { CallOptions, Overview, TillhookSession } from '@tillhook/sdk/session';

export const usualDays = '7';

export function overviewRead(days: string) {
  return {
    key: ['statistics', days],
    read: (tillhook: TillhookSession, options: CallOptions) =>
      tillhook.statistics.getOverview({ days: Number(days) as Overview['days'] }, options),
  };
}
