import type { UseQueryResult } from '@tanstack/react-query';
import type { DeliveryList } from '@tillhook/sdk/session';
import { useRead } from '../app/use-read.ts';
import { arePending } from '../deliveries/delivery-status.ts';

const shownCount = 10;

export function useLatestDeliveries(webhookId: string): UseQueryResult<DeliveryList> {
  const query = { webhookId, limit: shownCount };
  return useRead({
    key: ['deliveries', query],
    read: (tillhook, options) => tillhook.deliveries.list(query, options),
    isLive: true,
    isChanging: arePending,
  });
}
