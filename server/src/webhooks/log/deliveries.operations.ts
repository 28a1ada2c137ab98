import { pageOf } from '../../kit/pagination.ts';
import { type Operations, read, withoutTransaction, write } from '../../operation/operation.ts';
import { sendTestEvent } from '../dispatch/test-event.service.ts';
import { testEventView } from '../dispatch/test-event.view.ts';
import { getDelivery, listAttempts, listDeliveries } from './deliveries.service.ts';
import { deliveryDetailView, deliveryView } from './delivery.view.ts';
import { eventView } from './event.view.ts';
import { getEvent, listEvents } from './events.service.ts';
import { replayDeliveries, resendDelivery } from './resend.service.ts';

export const deliveriesOperations = {
  listDeliveries: read(async (context, { query }) => {
    const { records, total } = await listDeliveries(context, query, pageOf(query));
    return { deliveries: records.map(deliveryView), total };
  }),

  getDelivery: read(async (context, { path }) => {
    const logged = await getDelivery(context, path.id);
    return deliveryDetailView(logged, await listAttempts(context, logged.delivery));
  }),

  resendDelivery: write(
    async (context, { path }) => {
      const logged = await resendDelivery(context, path.id);
      const isPending = logged.delivery.status === 'pending';
      const message = isPending ? 'The event is sent again' : 'The endpoint is inactive, so nothing is sent';
      return { success: true, message, data: deliveryView(logged) };
    },
    { audited: ({ data }) => ({ subject: data.id }) },
  ),

  replayDeliveries: write(
    async (context, { path, body }) => {
      const { count, hasMore } = await replayDeliveries(context, path.id, body);
      const message = count === 1 ? '1 delivery is sent again' : `${count} deliveries are sent again`;
      return { success: true, message, data: { count, hasMore } };
    },
    // A replay that found no delivery changed nothing, so it has no audit entry.
    { audited: ({ data }, { path }) => (data.count === 0 ? null : { subject: path.id }) },
  ),

  listEvents: read(async (context, { query }) => {
    const { records, total } = await listEvents(context, query, { ...pageOf(query), wait: query.wait });
    return { events: records.map(eventView), total };
  }),

  getEvent: read(async (context, { path }) => eventView(await getEvent(context, path.id))),

  // Runs outside a transaction, because it posts to the receiver, and no network call is made inside a transaction.
  sendTestEvent: withoutTransaction(async (context, { path }) => testEventView(await sendTestEvent(context, path.id)), {
    audited: (_result, { path }) => ({ subject: path.id }),
    limits: [{ policy: 'test_event', by: ({ input, principal }) => `${principal?.merchantId}:${input.path.id}` }],
  }),
} satisfies Partial<Operations>;
