import type { Delivery, Event } from '@tillhook/sdk/session';
import { readable } from '../kit/status-words.ts';
import type { Advice } from './failure-advice.ts';

const reasons: Record<string, Advice> = {
  attempts_exhausted: {
    what: 'Every attempt failed. There are no more automatic retries.',
    todo: 'See below why the last attempt failed, and fix it.',
    again: 'Then resend this delivery.',
  },
  endpoint_gone: {
    what: 'The receiver returned 410, which means that it is permanently gone.',
    todo: 'Resume the endpoint if that was a mistake.',
    again: 'Then resend this delivery.',
  },
  worker_crashed: {
    what: 'The service was interrupted several times while sending this, so it gave up.',
    todo: 'The receiver may have received it.',
    again: 'Resend it. The webhook-id stays the same, so a receiver that checks it handles the event only once.',
  },
  endpoint_inactive: {
    what: 'The endpoint was paused or disabled, so nothing was sent.',
    todo: 'Resume the endpoint.',
    again: 'Then resend this delivery, or replay everything that the endpoint missed.',
  },
  endpoint_removed: {
    what: 'The endpoint was removed before this was sent.',
    todo: 'Nothing can be sent to it anymore. Another endpoint receives only later events.',
  },
};

/** Returns null when the event was delivered or the delivery is pending. */
export function reasonOf({ statusReason }: Pick<Delivery, 'statusReason'>): Advice | null {
  if (statusReason === null) return null;
  return reasons[statusReason] ?? { what: `Reason: ${readable(statusReason)}.`, todo: null };
}

export function shortReason({ statusReason }: Pick<Delivery, 'statusReason'>): string | null {
  if (statusReason === null) return null;
  return shortReasons[statusReason] ?? readable(statusReason);
}

const shortReasons: Record<string, string> = {
  attempts_exhausted: 'Every attempt failed',
  endpoint_gone: 'Receiver gone',
  worker_crashed: 'Service interrupted',
  endpoint_inactive: 'Endpoint not active',
  endpoint_removed: 'Endpoint removed',
};

/** Attempts create no events, so a page with pending deliveries has to poll. */
export function arePending({ deliveries }: { deliveries: readonly Pick<Delivery, 'status'>[] }): boolean {
  return deliveries.some(({ status }) => status === 'pending');
}

export function isBeingDelivered({ deliveries }: Pick<Event, 'deliveries'>): boolean {
  return deliveries.pending > 0;
}
