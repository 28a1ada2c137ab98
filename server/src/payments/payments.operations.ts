import { type Operations, read, write } from '../http/operation.ts';
import { pageOf } from '../kit/pagination.ts';
import { checkoutSessionView, paymentView } from './payment.view.ts';
import { getPayment, listPayments, startCheckout } from './payments.service.ts';

export const paymentsOperations = {
  createCheckout: write(async (context, { body }) => {
    const payment = await startCheckout(context, body);
    return checkoutSessionView(payment, context);
  }),

  listPayments: read(async (context, { query }) => {
    const { records, total } = await listPayments(context, query, pageOf(query));
    return { payments: records.map(paymentView), total };
  }),

  getPayment: read(async (context, { path }) => paymentView(await getPayment(context, path.reference))),
} satisfies Partial<Operations>;
