import type { OperationInput, OperationOutput } from '@tillhook/openapi';
import type { Context, WithPrincipal } from '../../context.ts';
import { csvOf } from '../../kit/csv.ts';
import { pageOf } from '../../kit/pagination.ts';
import { insertRow, type NewRow } from '../../operation/one-statement.ts';
import { type Operation, read, write } from '../../operation/operation.ts';
import { cancelAttemptOfCheckout } from './ask-processor.ts';
import { listAttempts } from './attempts.service.ts';
import * as checkout from './checkout.service.ts';
import { openTestTransfer } from './open-test-transfer.ts';
import { attemptView, checkoutSessionView, paymentColumns, paymentView } from './payment.view.ts';
import * as payments from './payments.service.ts';
import { completeTestPayment, failTestPayment, receiveTestTransfer } from './test-payment.service.ts';

export const createCheckout: Operation<'createCheckout'> = write(
  (context, input) => insertRow(context, newCheckout(context, input)),
  {
    onlyRow: newCheckout,
    audited: ({ data }) => ({ subject: data.reference }),
  },
);

function newCheckout(
  context: Context & WithPrincipal,
  { body }: OperationInput<'createCheckout'>,
): NewRow<OperationOutput<'createCheckout'>> {
  const payment = payments.newPayment(context, body);
  return { insertion: payments.paymentInsertion(payment), answer: checkoutSessionView(payment, context) };
}

export const listPayments: Operation<'listPayments'> = read(
  async (context, { query }) => {
    const { records, total } = await payments.listPayments(context, query, pageOf(query));
    return { payments: records.map((payment) => paymentView(payment, context)), total };
  },
  {
    csv: (context, { query }) =>
      csvOf(paymentColumns, payments.readPayments(context, query), (payment) => paymentView(payment, null)),
  },
);

export const getPayment: Operation<'getPayment'> = read(async (context, { path }) =>
  paymentView(await payments.getPayment(context, path.reference), context),
);

export const updatePayment: Operation<'updatePayment'> = write(
  async (context, { path, body }) => paymentView(await payments.updatePayment(context, path.reference, body), context),
  { audited: ({ reference }) => ({ subject: reference }) },
);

export const listPaymentAttempts: Operation<'listPaymentAttempts'> = read(async (context, { path }) => {
  const attempts = await listAttempts(context, await payments.getPayment(context, path.reference));
  return { attempts: attempts.map(attemptView) };
});

export const cancelCheckout: Operation<'cancelCheckout'> = write(
  async (context, { path }) => paymentView(await checkout.cancelCheckout(context, path.reference), context),
  {
    before: (context, { path }) => cancelAttemptOfCheckout(context, path.reference),
    audited: ({ reference }) => ({ subject: reference }),
  },
);

export const testCompletePayment: Operation<'testCompletePayment'> = write(
  async (context, { path }) => paymentView(await completeTestPayment(context, path.reference), context),
  { audited: ({ reference }) => ({ subject: reference }) },
);

export const testFailPayment: Operation<'testFailPayment'> = write(
  async (context, { path }) => paymentView(await failTestPayment(context, path.reference), context),
  {
    audited: ({ reference }) => ({ subject: reference }),
  },
);

export const testReceiveBankTransfer: Operation<'testReceiveBankTransfer'> = write(
  async (context, { path, body: { amount, bankReference } }) => {
    const receipt = { amount: BigInt(amount), bankReference };
    return paymentView(await receiveTestTransfer(context, path.reference, receipt), context);
  },
  {
    before: (context, { path }) => openTestTransfer(context, path.reference),
    audited: ({ reference }) => ({ subject: reference }),
  },
);
