import type { WebhookEndpoint, WebhookEndpointRequest } from '@tillhook/sdk/session';
import { eventNames } from '../events/event-names.ts';

type Subscribed = Exclude<WebhookEndpointRequest['events'], string | undefined>;
export type SubscribableEvent = Exclude<Subscribed[number], '*'>;

/** A test event goes to a single endpoint, so endpoints do not subscribe to test events. */
export const subscribableEvents: SubscribableEvent[] = eventNames.filter((name) => name !== 'test.event');

export const eventWords: Record<SubscribableEvent, string> = {
  'checkout.success': 'A customer paid',
  'checkout.failed': 'A payment failed after a decline',
  'checkout.expired': 'A checkout expired or was cancelled',
  'transfer.success': 'A transfer was completed',
  'transfer.failed': 'A transfer failed, and the money was returned',
  'refund.success': 'A refund was completed',
  'refund.failed': 'A refund failed, and the money was returned',
};

export interface Subscription {
  isEvery: 'yes' | 'no';
  events: string[];
}

export function subscriptionOf({ events }: Pick<WebhookEndpoint, 'events'>): Subscription {
  if (events === '*') return { isEvery: 'yes', events: [...subscribableEvents] };
  return { isEvery: 'no', events: events.split(',') };
}

export function eventsOf({ isEvery, events }: Subscription): Subscribed {
  return isEvery === 'yes' ? ['*'] : subscribableEvents.filter((name) => events.includes(name));
}
