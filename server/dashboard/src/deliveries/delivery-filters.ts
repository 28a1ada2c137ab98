import type { DeliveryStatus } from '@tillhook/sdk/session';
import { id, moment, oneOf, page, searchOf } from '../app/search.ts';
import { eventNames } from '../events/event-names.ts';
import { reference } from '../kit/filter-fields.ts';

export const deliveryStatuses = ['pending', 'delivered', 'failed', 'skipped'] as const satisfies DeliveryStatus[];

export const deliveryFilters = searchOf({
  status: oneOf(deliveryStatuses),
  event: oneOf(eventNames),
  webhookId: id,
  reference,
  from: moment,
  to: moment,
  page,
});
