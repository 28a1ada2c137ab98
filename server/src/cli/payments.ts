import type { Command } from 'commander';
import { noteOperatorAct } from '../audit/audit.service.ts';
import type { WriteContext } from '../context.ts';
import type { Payment } from '../payments/payment.entity.ts';
import {
  type Decision,
  decisionActions,
  listPaymentsForReview,
  type PaymentUnderReview,
  resolvePayment,
} from '../payments/review.service.ts';
import { decisionOption, parseId } from './arguments.ts';
import type { Perform, Report } from './perform.ts';
import { table } from './table.ts';

const headings = ['ID', 'REFERENCE', 'MERCHANT', 'ASKED FOR', 'PAID', 'STATUS', 'REASON'];

export function addPaymentCommands(program: Command, perform: Perform): void {
  const payments = program.command('payments').description('payments that an operator has to decide');
  payments
    .command('review')
    .description('show the payments that were paid twice, or with another amount than was asked for')
    .action(perform(review));
  payments
    .command('resolve')
    .description(
      'decide a payment: completed credits the merchant with the amount asked for; with failed, you refund the customer',
    )
    .argument('<id>', 'as payments review shows it', parseId)
    .addOption(decisionOption())
    .action(perform(resolve));
}

async function review(context: WriteContext): Promise<Report> {
  const record = (await listPaymentsForReview(context)).map(reviewRecord);
  if (record.length === 0) return { record, note: 'No payment waits for a decision.' };
  const rows = record.map((each) => [
    each.id,
    each.reference,
    each.merchantId,
    `${each.amount} ${each.currency}`,
    each.paid.map(({ amount, currency, processorId }) => `${amount} ${currency} as ${processorId}`).join(', '),
    each.status,
    each.reviewReason ?? '',
  ]);
  return { record, answer: table(headings, rows) };
}

async function resolve(context: WriteContext, { which, as }: { which: string; as: Decision }): Promise<Report> {
  const payment = await resolvePayment(context, { id: which }, as);
  const { merchantId, mode, reference, status } = payment;
  noteOperatorAct(context, { merchantId, mode, action: decisionActions[as], subject: reference });
  return { record: paymentRecord(payment), note: `${reference} is ${status} and no longer waits for a decision.` };
}

/** Amounts are in minor units. */
function reviewRecord({ payment, paid }: PaymentUnderReview) {
  const attempts = paid.map(({ paidAmount, paidCurrency, processorId }) => ({
    amount: paidAmount === null ? null : Number(paidAmount),
    currency: paidCurrency,
    processorId,
  }));
  return { ...paymentRecord(payment), paid: attempts };
}

function paymentRecord({ id, reference, merchantId, mode, amount, currency, status, reviewReason }: Payment) {
  return {
    id,
    reference,
    merchantId,
    mode,
    amount: Number(amount),
    currency,
    status,
    reviewReason: reviewReason ?? null,
  };
}
