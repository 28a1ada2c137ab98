import type { EventName } from '@tillhook/openapi';

/** The events of a subscription, in the contract's order. A new event of the contract must be added here. */
const subscribable = Object.keys({
  'checkout.success': true,
  'checkout.failed': true,
  'checkout.expired': true,
  'transfer.success': true,
  'transfer.failed': true,
  'refund.success': true,
  'refund.failed': true,
} satisfies Record<Exclude<EventName, 'test.event'>, true>);

/** Returns the stored form of a list of events: `*`, or names joined by commas. */
export function subscription(events: string[] | undefined): string {
  if (!events || events.includes('*')) return '*';
  return subscribable.filter((name) => events.includes(name)).join(',');
}
