import type { UseQueryResult } from '@tanstack/react-query';
import type { Delivery, Event } from '@tillhook/sdk/session';
import { useRead } from '../app/use-read.ts';
import { arePending } from '../deliveries/delivery-status.ts';
import { recordOf } from '../events/event-names.ts';

export interface TransferEvents {
  events: readonly Event[];
  deliveries: readonly Delivery[];
}

/** A payment or a refund may have the same reference, so their events are left out. */
export function useTransferEvents(reference: string): UseQueryResult<TransferEvents> {
  const query = { reference, limit: 100, order: 'asc' } as const;
  return useRead({
    key: ['transfers', reference, 'events'],
    isLive: true,
    isChanging: arePending,
    read: async (tillhook, options) => {
      const [{ events }, { deliveries }] = await Promise.all([
        tillhook.events.list(query, options),
        tillhook.deliveries.list(query, options),
      ]);
      const isOfTransfer = ({ event }: { event: string }) => recordOf(event) === 'transfer';
      return { events: events.filter(isOfTransfer), deliveries: deliveries.filter(isOfTransfer) };
    },
  });
}
