import type { Delivery, Event } from '@tillhook/sdk/session';
import type { Advice } from './failure-advice.ts';

const reasons: Record<string, Advice> = {
  attempts_exhausted: {
    what: 'Every attempt failed. The service makes no further attempt by itself.',
    todo: 'See below why the last attempt failed, and correct that.',
    again: 'Then send this again.',
  },
  endpoint_gone: {
    what: 'The receiver said that it is gone for good, with 410.',
    todo: 'Resume the endpoint if that was a mistake.',
    again: 'Then send this again.',
  },
  worker_crashed: {
    what: 'The service stopped several times while it was sending this, so it gave up.',
    todo: 'The receiver may have received it.',
    again: 'Send it again: webhook-id stays the same, so a receiver that remembers it handles the event only once.',
  },
  endpoint_inactive: {
    what: 'The endpoint was paused or disabled, so nothing was sent.',
    todo: 'Resume the endpoint.',
    again: 'Then send this again, or replay everything that the endpoint missed.',
  },
  endpoint_removed: {
    what: 'The endpoint was removed before this was sent.',
    todo: 'Nothing can be sent to it any more. Another endpoint receives only later events.',
  },
};

/** Returns null when the event was delivered or the delivery is pending. */
export function reasonOf({ statusReason }: Pick<Delivery, 'statusReason'>): Advice | null {
  if (statusReason === null) return null;
  return reasons[statusReason] ?? { what: `It ended as ${statusReason.replaceAll('_', ' ')}.`, todo: null };
}

export function shortReason({ statusReason }: Pick<Delivery, 'statusReason'>): string | null {
  if (statusReason === null) return null;
  return shortReasons[statusReason] ?? statusReason.replaceAll('_', ' ');
}

const shortReasons: Record<string, string> = {
  attempts_exhausted: 'every attempt failed',
  endpoint_gone: 'receiver gone',
  worker_crashed: 'service stopped',
  endpoint_inactive: 'endpoint not active',
  endpoint_removed: 'endpoint was removed',
};

/** Attempts create no events, so a page with pending deliveries has to poll. */
export function arePending({ deliveries }: { deliveries: readonly Pick<Delivery, 'status'>[] }): boolean {
  return deliveries.some(({ status }) => status === 'pending');
}

export function isBeingDelivered({ deliveries }: Pick<Event, 'deliveries'>): boolean {
  return deliveries.pending > 0;
}
