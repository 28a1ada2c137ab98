import type { EventName } from '@tillhook/openapi';

/** In the contract's order, which is also the order in which a subscription is written. An event more does not compile. */
const subscribable = Object.keys({
  'checkout.success': true,
  'checkout.failed': true,
  'transfer.success': true,
  'transfer.failed': true,
} satisfies Record<Exclude<EventName, 'test.event'>, true>);

/** How a list of events is kept: `*`, or names joined by commas. */
export function subscription(events: string[] | undefined): string {
  if (!events || events.includes('*')) return '*';
  return subscribable.filter((name) => events.includes(name)).join(',');
}
