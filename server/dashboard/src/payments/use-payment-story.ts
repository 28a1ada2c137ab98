import type { UseQueryResult } from '@tanstack/react-query';
import type { CallOptions, Delivery, Event, PaymentAttempt, Refund, TillhookSession } from '@tillhook/sdk/session';
import { useRead } from '../app/use-read.ts';
import { arePending } from '../deliveries/delivery-status.ts';
import { recordOf } from '../events/event-names.ts';

export interface PaymentStory {
  attempts: readonly PaymentAttempt[];
  refunds: readonly Refund[];
  refundCount: number;
  events: readonly Event[];
  deliveries: readonly Delivery[];
}

/** Choice: 10 refunds, because each refund needs two more requests every few seconds. */
export const maxRefundsWithEvents = 10;

/**
 * The events of a refund have the refund's reference. A transfer may have the same reference, so events of transfers
 * are left out.
 */
export function usePaymentStory(reference: string): UseQueryResult<PaymentStory> {
  return useRead({
    key: ['payments', reference, 'story'],
    isLive: true,
    isChanging: arePending,
    read: async (tillhook, options) => {
      const [{ attempts }, own, { refunds, total }] = await Promise.all([
        tillhook.payments.listAttempts(reference, options),
        readEvents(tillhook, { kind: 'payment', reference }, options),
        tillhook.refunds.list({ paymentReference: reference, limit: 100 }, options),
      ]);
      const newest = refunds.slice(0, maxRefundsWithEvents);
      const ofRefunds = await Promise.all(
        newest.map((refund) => readEvents(tillhook, { kind: 'refund', reference: refund.reference }, options)),
      );
      const all = [own, ...ofRefunds.toReversed()];
      return {
        attempts,
        refunds: refunds.toReversed(),
        refundCount: total,
        events: all.flatMap(({ events }) => events),
        deliveries: all.flatMap(({ deliveries }) => deliveries),
      };
    },
  });
}

async function readEvents(
  tillhook: TillhookSession,
  { kind, reference }: { kind: 'payment' | 'refund'; reference: string },
  options: CallOptions,
) {
  const query = { reference, limit: 100, order: 'asc' } as const;
  const [{ events }, { deliveries }] = await Promise.all([
    tillhook.events.list(query, options),
    tillhook.deliveries.list(query, options),
  ]);
  const isOfRecord = ({ event }: { event: string }) => recordOf(event) === kind;
  return { events: events.filter(isOfRecord), deliveries: deliveries.filter(isOfRecord) };
}
