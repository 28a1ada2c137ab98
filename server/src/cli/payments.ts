import type { Command } from 'commander';
import { noteOperatorAct } from '../audit/audit.service.ts';
import type { WriteContext } from '../context.ts';
import { csvOf } from '../kit/csv.ts';
import type { Mode } from '../kit/mode.ts';
import type { Payment, PaymentStatus } from '../payments/payment.entity.ts';
import { paymentColumns, paymentView } from '../payments/payment.view.ts';
import { listPayments, type PaymentFilter, readPayments } from '../payments/payments.service.ts';
import {
  type Decision,
  decisionActions,
  listPaymentsForReview,
  type PaymentUnderReview,
  resolvePayment,
} from '../payments/review.service.ts';
import {
  csvOption,
  decisionOption,
  fromOption,
  merchantOption,
  modeOption,
  parseId,
  paymentStatusOption,
  toOption,
} from './arguments.ts';
import { chooseMerchant } from './choose-merchant.ts';
import type { Perform, Report } from './perform.ts';
import { resolutionNote } from './resolution-note.ts';
import { table } from './table.ts';
import { shownAmount } from './transfer-record.ts';

const mostListed = 100;

const headings = ['ID', 'REFERENCE', 'MERCHANT', 'ASKED FOR', 'PAID', 'STATUS', 'REASON'];

export function addPaymentCommands(program: Command, perform: Perform): void {
  const payments = program
    .command('payments')
    .description('the payments of merchants, and those that an operator has to decide');
  payments
    .command('list')
    .description(`show the newest ${mostListed} payments of a merchant, or with --csv all as a file`)
    .addOption(modeOption())
    .addOption(merchantOption())
    .addOption(paymentStatusOption())
    .addOption(fromOption())
    .addOption(toOption())
    .addOption(csvOption())
    .action(perform(list, { takesLong: true }));
  payments
    .command('review')
    .description(
      'show the payments that were paid twice or with another amount, that are disputed, or whose refund has no funds',
    )
    .action(perform(review));
  payments
    .command('resolve')
    .description(
      'decide a payment: completed credits the merchant with the amount asked for, unless it was credited already; with ' +
        'failed, you refund the customer. For a dispute or a refund, this only ends the review, and no money moves',
    )
    .argument('<id>', 'as payments review shows it', parseId)
    .addOption(decisionOption())
    .action(perform(resolve));
}

interface ListOptions extends Pick<PaymentFilter, 'from' | 'to'> {
  status?: PaymentStatus;
  mode: Mode;
  merchant?: string;
  csv?: true;
}

async function list(context: WriteContext, { mode, merchant, csv, status, ...time }: ListOptions): Promise<Report> {
  const { id: merchantId, currency } = await chooseMerchant(context, merchant);
  const filter = { ...time, ...(status && { status: [status] }) };
  const owned = { ...context, principal: { merchantId, mode, currency } };
  if (csv) return { pieces: csvOf(paymentColumns, readPayments(owned, filter), withoutLink) };
  const { records, total } = await listPayments(owned, filter, { limit: mostListed, offset: 0 });
  const record = records.map(withoutLink);
  if (total === 0) return { record, note: 'No payment matches.' };
  const rows = record.map((each) => [
    each.reference,
    each.status,
    shownAmount(each),
    each.customerEmail,
    each.createdAt,
  ]);
  const answer = table(['REFERENCE', 'STATUS', 'AMOUNT', 'CUSTOMER', 'CREATED'], rows);
  return total <= mostListed
    ? { record, answer }
    : { record, answer, note: `Only ${mostListed} of ${total} are shown.` };
}

const withoutLink = (payment: Payment) => paymentView(payment, null);

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
  const resolution = await resolvePayment(context, { id: which }, as);
  const { payment } = resolution;
  const { merchantId, mode, reference } = payment;
  noteOperatorAct(context, { merchantId, mode, action: decisionActions[as], subject: reference });
  return { record: paymentRecord(payment), note: resolutionNote(resolution) };
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
