import { csvOf } from '../../kit/csv.ts';
import { pageOf } from '../../kit/pagination.ts';
import { type Operation, read, write } from '../../operation/operation.ts';
import * as deliveries from './deliveries.service.ts';
import { deliveryColumns, deliveryDetailView, deliveryView } from './delivery.view.ts';
import * as resend from './resend.service.ts';
import { keysForReader } from './signatures-of-attempts.ts';

export const listDeliveries: Operation<'listDeliveries'> = read(
  async (context, { query }) => {
    const { records, total } = await deliveries.listDeliveries(context, query, pageOf(query));
    return { deliveries: records.map(deliveryView), total };
  },
  { csv: (context, { query }) => csvOf(deliveryColumns, deliveries.readDeliveries(context, query), deliveryView) },
);

export const getDelivery: Operation<'getDelivery'> = read(async (context, { path }) => {
  const logged = await deliveries.getDelivery(context, path.id);
  const attempts = await deliveries.listAttempts(context, logged.delivery);
  return deliveryDetailView(logged, attempts, keysForReader(context, logged.endpoint));
});

export const resendDelivery: Operation<'resendDelivery'> = write(
  async (context, { path }) => {
    const logged = await resend.resendDelivery(context, path.id);
    const isPending = logged.delivery.status === 'pending';
    const message = isPending ? 'The event is sent again' : 'The endpoint is inactive, so nothing is sent';
    return { success: true, message, data: deliveryView(logged) };
  },
  { audited: ({ data }) => ({ subject: data.id }) },
);

export const replayDeliveries: Operation<'replayDeliveries'> = write(
  async (context, { path, body }) => {
    const { count, hasMore } = await resend.replayDeliveries(context, path.id, body);
    const message = count === 1 ? '1 delivery is sent again' : `${count} deliveries are sent again`;
    return { success: true, message, data: { count, hasMore } };
  },
  // A replay without missed deliveries changes nothing, so it has no audit entry.
  { audited: ({ data }, { path }) => (data.count === 0 ? null : { subject: path.id }) },
);
