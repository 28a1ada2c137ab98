/** The events that an endpoint can subscribe to, and how a person says which. */
import type { WebhookEndpoint, WebhookEndpointRequest } from '@tillhook/sdk/session';
import { eventNames } from '../events/event-names.ts';

type Subscribed = NonNullable<WebhookEndpointRequest['events']>;
export type SubscribableEvent = Exclude<Subscribed[number], '*'>;

/** A test event is sent to one endpoint on request, so nobody subscribes to it. */
export const subscribableEvents: SubscribableEvent[] = eventNames.filter((name) => name !== 'test.event');

export const eventWords: Record<SubscribableEvent, string> = {
  'checkout.success': 'A customer has paid',
  'checkout.failed': 'A payment has ended without money',
  'transfer.success': 'A transfer has reached its recipient',
  'transfer.failed': 'A transfer has failed, and its money is back',
};

/** What a form holds. */
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
