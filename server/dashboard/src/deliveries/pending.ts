import type { Delivery, Event } from '@tillhook/sdk/session';

/** Whether one of these deliveries will soon be attempted, which makes no event. */
export function arePending({ deliveries }: { deliveries: readonly Pick<Delivery, 'status'>[] }): boolean {
  return deliveries.some(({ status }) => status === 'pending');
}

/** Whether an event has a delivery that will soon be attempted. */
export function isBeingDelivered({ deliveries }: Pick<Event, 'deliveries'>): boolean {
  return deliveries.pending > 0;
}
