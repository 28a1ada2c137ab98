import { csvOf } from '../../kit/csv.ts';
import { pageOf } from '../../kit/pagination.ts';
import { insert } from '../../operation/insert.ts';
import { type Operations, read, write } from '../../operation/operation.ts';
import { cancelAttemptOfCheckout } from './ask-processor.ts';
import { listAttempts } from './attempts.service.ts';
import { cancelCheckout } from './checkout.service.ts';
import { attemptView, checkoutSessionView, paymentColumns, paymentView } from './payment.view.ts';
import { paymentInsertion } from './payment-rows.ts';
import { getPayment, listPayments, newPayment, readPayments } from './payments.service.ts';
import { completeTestPayment, failTestPayment } from './test-payment.service.ts';

export const paymentsOperations = {
  createCheckout: insert(
    (context, { body }) => {
      const payment = newPayment(context, body);
      return { insertion: paymentInsertion(payment), answer: checkoutSessionView(payment, context) };
    },
    { audited: ({ data }) => ({ subject: data.reference }) },
  ),

  listPayments: read(
    async (context, { query }) => {
      const { records, total } = await listPayments(context, query, pageOf(query));
      return { payments: records.map((payment) => paymentView(payment, context)), total };
    },
    {
      csv: (context, { query }) =>
        csvOf(paymentColumns, readPayments(context, query), (payment) => paymentView(payment, null)),
    },
  ),

  getPayment: read(async (context, { path }) => paymentView(await getPayment(context, path.reference), context)),

  listPaymentAttempts: read(async (context, { path }) => {
    const attempts = await listAttempts(context, await getPayment(context, path.reference));
    return { attempts: attempts.map(attemptView) };
  }),

  cancelCheckout: write(
    async (context, { path }) => paymentView(await cancelCheckout(context, path.reference), context),
    {
      beforeTransaction: (context, { path }) => cancelAttemptOfCheckout(context, path.reference),
      audited: ({ reference }) => ({ subject: reference }),
    },
  ),

  testCompletePayment: write(
    async (context, { path }) => paymentView(await completeTestPayment(context, path.reference), context),
    { audited: ({ reference }) => ({ subject: reference }) },
  ),

  testFailPayment: write(
    async (context, { path }) => paymentView(await failTestPayment(context, path.reference), context),
    {
      audited: ({ reference }) => ({ subject: reference }),
    },
  ),
} satisfies Partial<Operations>;
