import type { WriteContext } from '../../context.ts';
import { csvOf } from '../../kit/csv.ts';
import type { Mode } from '../../kit/mode.ts';
import type { Payment, PaymentStatus, ReviewReason } from '../../money/payments/payment.entity.ts';
import { paymentColumns, paymentView } from '../../money/payments/payment.view.ts';
import { listPayments, type PaymentFilter, readPayments } from '../../money/payments/payments.service.ts';
import {
  type Decision,
  decisionActions,
  listPaymentsForReview,
  type PaymentUnderReview,
  resolvePayment,
} from '../../money/payments/review.service.ts';
import { noteOperatorAct } from '../../people/audit/audit.service.ts';
import { mostListed } from '../arguments.ts';
import { listReport, type Report } from '../report.ts';
import { chooseMerchant, ownedBy } from './choose-merchant.ts';
import { resolutionNote } from './resolution-note.ts';
import { shownAmount } from './shown-amount.ts';

const headings = ['ID', 'REFERENCE', 'MERCHANT', 'ASKED FOR', 'PAID', 'STATUS', 'REASON'];

interface ListOptions extends Pick<PaymentFilter, 'from' | 'to'> {
  status?: PaymentStatus;
  mode: Mode;
  merchant?: string;
  csv?: true;
}

export async function list(
  context: WriteContext,
  { mode, merchant, csv, status, ...time }: ListOptions,
): Promise<Report> {
  const filter = { ...time, ...(status && { status: [status] }) };
  const owned = ownedBy(context, await chooseMerchant(context, merchant), mode);
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
  const answer = { headings: ['REFERENCE', 'STATUS', 'AMOUNT', 'CUSTOMER', 'CREATED'], rows };
  return listReport(record, answer, total);
}

const withoutLink = (payment: Payment) => paymentView(payment, null);

export async function review(context: WriteContext): Promise<Report> {
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

export async function resolve(context: WriteContext, { which, as, reason }: ResolveOptions): Promise<Report> {
  const resolution = await resolvePayment(context, { id: which, about: reason }, as);
  const { payment } = resolution;
  const { merchantId, mode, reference } = payment;
  noteOperatorAct(context, { merchantId, mode, action: decisionActions[as], subject: reference });
  return { record: paymentRecord(payment), note: resolutionNote(resolution) };
}

type ReviewRecord = ReturnType<typeof reviewRecord>;

/** Amounts are in minor units. */
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
