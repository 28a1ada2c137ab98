import type { UseQueryResult } from '@tanstack/react-query';
import type { Delivery, Event, PaymentAttempt } from '@tillhook/sdk/session';
import { useRead } from '../app/use-read.ts';
import { recordOf } from '../events/event-names.ts';

export interface PaymentStory {
  attempts: readonly PaymentAttempt[];
  events: readonly Event[];
  deliveries: readonly Delivery[];
}

/**
 * Reads the attempts, events and deliveries of a payment, oldest first. A transfer may have the same reference: its
 * events are left out.
 */
export function usePaymentStory(reference: string): UseQueryResult<PaymentStory> {
  return useRead({
    key: ['payments', reference, 'story'],
    isLive: true,
    read: async (tillhook, options) => {
      const query = { reference, limit: 100, order: 'asc' } as const;
      const [{ attempts }, { events }, { deliveries }] = await Promise.all([
        tillhook.payments.listAttempts(reference, options),
        tillhook.events.list(query, options),
        tillhook.deliveries.list(query, options),
      ]);
      return { attempts, events: events.filter(isOfPayment), deliveries: deliveries.filter(isOfPayment) };
    },
  });
}

function isOfPayment({ event }: { event: string }): boolean {
  return recordOf(event) === 'payment';
}
