/**
 * Calls the processor with no transaction open, and then applies the verdict in a transaction. If the processor does
 * not answer, the payment stays open: a missing answer is not a decline.
 * See docs/decisions/processors.md, "After an interrupted attempt, the processor is asked for the result".
 */
import { type Context, type WithPrincipal, withFreshEntityManager } from '../../context.ts';
import { AppError } from '../../kit/errors.ts';
import type { Mode } from '../../kit/mode.ts';
import type { MobilePhone } from '../../kit/payment-method.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { reasonOf } from '../../processors/answer-in-time.ts';
import type { CardDetails, Charge, CheckoutProcessor, Verdict } from '../../processors/port.ts';
import { askProcessor } from '../processor-outages.ts';
import { findOpenAttempt, noteReturn } from './attempts.service.ts';
import { claimAttempt } from './claim-attempts.service.ts';
import { getProcessor } from './get-processor.ts';
import { Payment } from './payment.entity.ts';
import { PaymentAttempt } from './payment-attempt.entity.ts';
import { settlePayment, settlePaymentIfOpen } from './settle-payment.service.ts';

/** What the customer typed for the attempt. It is in memory for the length of one request. */
export interface Typed {
  card?: CardDetails;
  phone?: MobilePhone;
}

export function startAttempt(context: Context, attemptId: string, typed: Typed = {}): Promise<Payment> {
  return ask(context, attemptId, (processor, charge) => startAt(processor, charge, typed));
}

function startAt(processor: CheckoutProcessor, charge: Charge, { card, phone }: Typed): Promise<Verdict> {
  const { bankTransfers, mobileMoney } = processor;
  if (charge.method === 'bank_transfer' && bankTransfers) return bankTransfers.open(charge);
  if (charge.method === 'mobile_money' && mobileMoney && phone) return mobileMoney.request(charge, phone);
  if (charge.method !== 'card') throw new Error(`The processor does not offer ${charge.method}, or has no phone.`);
  if (processor.takes === 'redirect') return processor.start(charge);
  if (!card) throw new Error('A processor that takes cards was called without a card.');
  return processor.start(charge, card);
}

export async function finishStep(context: Context, attemptId: string, hasPassed: boolean): Promise<Payment> {
  const verdict = await askForVerdict(context, attemptId, (processor, charge) =>
    processor.takes === 'card' ? processor.finishStep(charge, hasPassed) : processor.status(charge),
  );
  return inTransaction(withFreshEntityManager(context), (tx) => settlePaymentIfOpen(tx, attemptId, verdict));
}

export async function checkAttemptForPage(context: Context, attemptId: string): Promise<void> {
  const isClaimed = await inTransaction(withFreshEntityManager(context), (tx) => claimAttempt(tx, attemptId));
  if (isClaimed) await ask(withFreshEntityManager(context), attemptId, (processor, charge) => processor.status(charge));
}

/** When the payment has ended or expired, the attempt is cancelled, so that the customer cannot pay any more. */
export function checkAttempt(context: Context, attemptId: string): Promise<Payment> {
  return ask(context, attemptId, (processor, charge, payment) => {
    const isOver = payment.isFinal || payment.expiresAt <= context.clock.now();
    return isOver ? processor.cancel(charge) : processor.status(charge);
  });
}

export async function cancelAttempt(context: Context, attemptId: string): Promise<Payment> {
  await inTransaction(withFreshEntityManager(context), (tx) => noteReturn(tx, attemptId));
  return ask(withFreshEntityManager(context), attemptId, (processor, charge) => processor.cancel(charge));
}

/** Cancels the open attempt before a merchant cancels a checkout, so that the customer cannot pay any more. */
export async function cancelAttemptOfCheckout(context: Context & WithPrincipal, reference: string): Promise<void> {
  const { merchantId, mode } = context.principal;
  const { em } = withFreshEntityManager(context);
  const payment = await em.findOne(Payment, { merchantId, mode, reference });
  if (!payment || !(payment.status === 'processing' || payment.waitsFor)) return;
  const attempt = await findOpenAttempt(context, payment);
  // While a card processor has not answered, money may already be moving. A redirect processor that has not answered
  // has charged nothing: the customer does not have the link to its page yet.
  const isRedirect = context.processors[mode]?.takes === 'redirect';
  if (!attempt || !(attempt.processorId || isRedirect)) return;
  const { status, waitsFor } = await cancelAttempt(context, attempt.id);
  if (status === 'processing' || waitsFor) {
    throw new AppError('processor_error', 'The payment processor gave no answer, so nothing was withdrawn; try again');
  }
}

type Question = (processor: CheckoutProcessor, charge: Charge, payment: Payment) => Promise<Verdict>;

async function ask(context: Context, attemptId: string, question: Question): Promise<Payment> {
  const verdict = await askForVerdict(context, attemptId, question);
  return inTransaction(withFreshEntityManager(context), (tx) => settlePayment(tx, attemptId, verdict));
}

async function askForVerdict(context: Context, attemptId: string, question: Question): Promise<Verdict> {
  const { processor, charge, payment } = await loadCharge(context, attemptId);
  return askWithTimeout(context, () => question(processor, charge, payment), { processor, charge, mode: payment.mode });
}

async function askWithTimeout(
  context: Context,
  question: () => Promise<Verdict>,
  { processor, charge, mode }: { processor: CheckoutProcessor; charge: Charge; mode: Mode },
): Promise<Verdict> {
  try {
    return await askProcessor(context, { processor, mode }, question);
  } catch (error) {
    const about = { processor: processor.name, attemptId: charge.attemptId, reason: reasonOf(error) };
    context.log.error(about, 'The processor gave no answer');
    return { result: 'unknown' };
  }
}

async function loadCharge(context: Context, attemptId: string) {
  const { em } = withFreshEntityManager(context);
  const attempt = await em.findOne(PaymentAttempt, { id: attemptId });
  const payment = attempt && (await em.findOne(Payment, { id: attempt.paymentId }));
  if (!payment) throw new Error(`There is no attempt ${attemptId}.`);
  const processor = getProcessor(context, payment.mode);
  return { processor, charge: chargeOf(context, payment, attempt), payment };
}

function chargeOf({ publicUrl, clock }: Context, payment: Payment, attempt: PaymentAttempt): Charge {
  const page = `${publicUrl}/checkout/${payment.accessCode}`;
  return {
    attemptId: attempt.id,
    reference: payment.reference,
    amount: payment.amount,
    currency: payment.currency,
    customerEmail: payment.customerEmail,
    description: payment.description ?? null,
    locale: payment.locale ?? null,
    statementName: payment.statementName ?? null,
    startedAt: attempt.startedAt,
    expiresAt: payment.expiresAt,
    paidUrl: `${page}?step=sent`,
    backUrl: `${page}/back`,
    processorId: attempt.processorId ?? null,
    method: attempt.method,
    now: clock.now(),
  };
}
