import { type Command, Option } from 'commander';
import type { WriteContext } from '../context.ts';
import type { Mode } from '../kit/mode.ts';
import type { Payment, PaymentStatus, ReviewReason } from '../money/payments/payment.entity.ts';
import type { PaymentFilter } from '../money/payments/payments.service.ts';
import type { Decision, PaymentUnderReview, Resolution } from '../money/payments/reviews.service.ts';
import { example, fromOption, merchantOption, modeOption, parseId, toOption } from './arguments.ts';
import type { Actions } from './perform.ts';
import { listReport, maxListed, type Report, shownAmount } from './report.ts';

export function addPaymentCommands(program: Command, { inTransaction }: Actions): void {
  const payments = program
    .command('payments')
    .description('the payments of merchants, and those that an operator has to decide')
    .addHelpText('after', example('tillhook payments review'));
  payments
    .command('list')
    .description(`show the newest ${maxListed} payments of a merchant, or with --csv all as a file`)
    .addOption(modeOption())
    .addOption(merchantOption())
    .addOption(
      new Option('--status <status>', 'only payments with this status').choices([
        'pending',
        'processing',
        'completed',
        'failed',
        'expired',
      ]),
    )
    .addOption(fromOption())
    .addOption(toOption())
    .addOption(new Option('--csv', 'print all of them as a CSV file'))
    .addHelpText('after', example('tillhook payments list --mode live --status completed --from 2026-11-01'))
    .action(inTransaction(list, { takesLong: true }));
  payments
    .command('review')
    .description(
      'show the payments that were paid twice or with another amount, that are disputed, or whose refund has no funds',
    )
    .addHelpText('after', example('tillhook payments review'))
    .action(inTransaction(review));
  payments
    .command('resolve')
    .description(
      'decide a payment: completed credits the merchant with the amount asked for, unless it was credited already; with ' +
        'failed, you refund the customer. For a dispute or a refund, this only ends the review, and no money moves',
    )
    .argument('<id>', 'as payments review shows it', parseId)
    .addOption(
      new Option('--as <outcome>', 'completed or failed').choices(['completed', 'failed']).makeOptionMandatory(),
    )
    .addOption(
      new Option(
        '--reason <reason>',
        'what you decide about, when the payment is under review for several reasons',
      ).choices(['amount_mismatch', 'paid_late', 'paid_twice', 'refund_without_funds', 'disputed']),
    )
    .addHelpText('after', example('tillhook payments resolve 01997c3e-6f1d-7cc0-8e0b-2f5d9a1b4c7e --as completed'))
    .action(inTransaction(resolve));
}

const services = async () => ({
  ...(await import('./choose-merchant.ts')),
  ...(await import('../kit/csv.ts')),
  ...(await import('../money/payments/payment.view.ts')),
  ...(await import('../money/payments/payments.service.ts')),
  ...(await import('../money/payments/reviews.service.ts')),
  ...(await import('../people/audit/audit.service.ts')),
});

const headings = ['ID', 'REFERENCE', 'MERCHANT', 'ASKED FOR', 'PAID', 'STATUS', 'REASON'];

interface ListOptions extends Pick<PaymentFilter, 'from' | 'to'> {
  status?: PaymentStatus;
  mode: Mode;
  merchant?: string;
  csv?: true;
}

async function list(context: WriteContext, { mode, merchant, csv, status, ...time }: ListOptions): Promise<Report> {
  const { chooseMerchant, csvOf, listPayments, ownedBy, paymentColumns, paymentView, readPayments } = await services();
  const withoutLink = (payment: Payment) => paymentView(payment, null);
  const filter = { ...time, ...(status && { status: [status] }) };
  const owned = ownedBy(context, await chooseMerchant(context, merchant), mode);
  if (csv) return { pieces: csvOf(paymentColumns, readPayments(owned, filter), withoutLink) };
  const { records, total } = await listPayments(owned, filter, { limit: maxListed, offset: 0 });
  const record = records.map(withoutLink);
  if (total === 0) return { record, note: 'No payment matches.' };
  const rows = record.map((each) => [
    each.reference,
    each.status,
    shownAmount(each),
    each.customerEmail,
    each.createdAt,
  ]);
  const answer = { headings: ['REFERENCE', 'STATUS', 'AMOUNT', 'CUSTOMER', 'CREATED'], rows };
  return listReport(record, answer, total);
}

async function review(context: WriteContext): Promise<Report> {
  const { listPaymentsForReview } = await services();
  const record = (await listPaymentsForReview(context)).map(reviewRecord);
  if (record.length === 0) return { record, note: 'No payment waits for a decision.' };
  const rows = record.map((each) => [
    each.id,
    each.reference,
    each.merchantId,
    shownAmount(each),
    each.paid.map(shownAttempt).join(', '),
    each.status,
    each.reviewReasons.join(', '),
  ]);
  return { record, answer: { headings, rows } };
}

function shownAttempt({ amount, currency, processorId }: ReviewRecord['paid'][number]): string {
  const paid = amount === null || !currency ? 'an unknown amount' : shownAmount({ amount, currency });
  return `${paid} as ${processorId}`;
}

interface ResolveOptions {
  which: string;
  as: Decision;
  reason?: ReviewReason;
}

async function resolve(context: WriteContext, { which, as, reason }: ResolveOptions): Promise<Report> {
  const { decisionActions, noteOperatorAct, resolvePayment } = await services();
  const resolution = await resolvePayment(context, { id: which, about: reason }, as);
  const { payment } = resolution;
  const { merchantId, mode, reference } = payment;
  noteOperatorAct(context, { merchantId, mode, action: decisionActions[as], subject: reference });
  return { record: paymentRecord(payment), note: resolutionNote(resolution) };
}

type ReviewRecord = ReturnType<typeof reviewRecord>;

function reviewRecord({ payment, paid }: PaymentUnderReview) {
  const attempts = paid.map(({ paidAmount, paidCurrency, processorId }) => ({
    amount: paidAmount === null ? null : Number(paidAmount),
    currency: paidCurrency,
    processorId,
  }));
  return { ...paymentRecord(payment), paid: attempts };
}

function paymentRecord({
  id,
  reference,
  merchantId,
  mode,
  amount,
  currency,
  status,
  reviewReason,
  reviewReasons,
}: Payment) {
  return {
    id,
    reference,
    merchantId,
    mode,
    amount: Number(amount),
    currency,
    status,
    reviewReason: reviewReason ?? null,
    reviewReasons,
  };
}

function resolutionNote(resolution: Resolution): string {
  const { reference, status, reviewReasons } = resolution.payment;
  const left =
    reviewReasons.length > 0
      ? `still waits for a decision: ${reviewReasons.join(', ')}`
      : 'no longer waits for a decision';
  return `${reference} is ${status} and ${left}. ${moneyNote(resolution)}`;
}

function moneyNote({ payment, reason, effect }: Resolution): string {
  if (effect === 'credited') {
    return `The merchant was credited with ${shownAmount({ amount: Number(payment.amount), currency: payment.currency })}.`;
  }
  switch (reason) {
    case 'disputed':
      return 'No money moved: settle with the merchant what the bank took back or gave back.';
    case 'refund_without_funds':
      return (
        'No money moved. A refund that waits for funds is taken from the Collection wallet as soon as it ' +
        'holds enough.'
      );
    default:
      return payment.status === 'completed'
        ? 'No money moved, because the merchant had the amount already: at the processor, refund what was paid twice.'
        : 'The merchant was credited with nothing: at the processor, refund the whole amount that it received.';
  }
}
