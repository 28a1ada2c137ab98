import type { EventName } from '@tillhook/openapi';

/** Each event of the contract must be listed here, in the contract's order. */
const subscribable = Object.keys({
  'checkout.success': true,
  'checkout.failed': true,
  'checkout.expired': true,
  'transfer.success': true,
  'transfer.failed': true,
  'refund.success': true,
  'refund.failed': true,
} satisfies Record<Exclude<EventName, 'test.event'>, true>);

/** Returns `*`, or event names joined by commas. */
export function subscription(events: string[] | undefined): string {
  if (!events || events.includes('*')) return '*';
  return subscribable.filter((name) => events.includes(name)).join(',');
}
