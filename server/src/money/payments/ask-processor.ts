/**
 * Asks the processor about an attempt to pay, with no transaction open, and then applies the verdict in one
 * transaction. A missing answer is not a decline: the payment stays as it is, and the job `settle-undecided` asks the
 * processor again until the verdict is final.
 * See docs/decisions/processors.md, "After an interrupted attempt, the processor is asked for the result".
 */
import { type Context, type WithPrincipal, withFreshEntityManager } from '../../context.ts';
import { AppError } from '../../kit/errors.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { answerInTime, reasonOf } from '../../processors/answer-in-time.ts';
import type { CardDetails, Charge, CheckoutProcessor, Verdict } from '../../processors/port.ts';
import { findOpenAttempt, noteReturn } from './attempts.service.ts';
import { claimAttempt } from './claim-attempts.service.ts';
import { getProcessor } from './get-processor.ts';
import { Payment } from './payment.entity.ts';
import { PaymentAttempt } from './payment-attempt.entity.ts';
import { settlePayment, settlePaymentIfOpen } from './settle-payment.service.ts';

/**
 * Starts an attempt, which has just been saved, at the processor, and settles the attempt by the processor's verdict.
 * The card is passed only to a processor that takes cards, and never to a processor that redirects the customer.
 */
export function startAttempt(context: Context, attemptId: string, card?: CardDetails): Promise<Payment> {
  return ask(context, attemptId, (processor, charge) => {
    if (processor.takes === 'redirect') return processor.start(charge);
    if (!card) throw new Error('A processor that takes cards was called without a card.');
    return processor.start(charge, card);
  });
}

/**
 * Reports to the processor whether the customer passed the 3-D Secure step on our own page. Settles the attempt by the
 * processor's verdict if the attempt is still open.
 */
export async function finishStep(context: Context, attemptId: string, hasPassed: boolean): Promise<Payment> {
  const verdict = await askForVerdict(context, attemptId, (processor, charge) =>
    processor.takes === 'card' ? processor.finishStep(charge, hasPassed) : processor.status(charge),
  );
  return inTransaction(withFreshEntityManager(context), (tx) => settlePaymentIfOpen(tx, attemptId, verdict));
}

/**
 * Asks the processor for the status of an attempt that a page shows, and settles the attempt. Does nothing when a page
 * asked about the attempt in the last five seconds.
 */
export async function checkAttemptForPage(context: Context, attemptId: string): Promise<void> {
  const isClaimed = await inTransaction(withFreshEntityManager(context), (tx) => claimAttempt(tx, attemptId));
  if (isClaimed) await ask(withFreshEntityManager(context), attemptId, (processor, charge) => processor.status(charge));
}

/**
 * Asks the processor for the status of an open attempt, and settles the attempt. When the payment has ended or
 * expired, asks the processor to cancel the attempt instead, so that the customer cannot pay any more.
 */
export function checkAttempt(context: Context, attemptId: string): Promise<Payment> {
  return ask(context, attemptId, (processor, charge, payment) => {
    const isOver = payment.isFinal || payment.expiresAt <= context.clock.now();
    return isOver ? processor.cancel(charge) : processor.status(charge);
  });
}

/**
 * Called when the customer comes back from the processor's page without having paid. Cancels the attempt at the
 * processor, so that the customer can try again on our page.
 */
export async function cancelAttempt(context: Context, attemptId: string): Promise<Payment> {
  await inTransaction(withFreshEntityManager(context), (tx) => noteReturn(tx, attemptId));
  return ask(withFreshEntityManager(context), attemptId, (processor, charge) => processor.cancel(charge));
}

/**
 * Runs before a merchant cancels a checkout. Cancels the open attempt at the processor, so that the customer cannot
 * pay at the processor any more. While the processor is deciding about a card, the attempt is not cancelled, because
 * money may already be moving. Throws `processor_error` when the processor does not answer.
 */
export async function cancelAttemptOfCheckout(context: Context & WithPrincipal, reference: string): Promise<void> {
  const { merchantId, mode } = context.principal;
  const { em } = withFreshEntityManager(context);
  const payment = await em.findOne(Payment, { merchantId, mode, reference, status: 'processing' });
  const attempt = payment && (await findOpenAttempt(context, payment));
  // An attempt at a processor that redirects the customer can be cancelled even before the processor has answered:
  // without the answer, the customer has no link to the processor's page, and cannot have entered a card there.
  const isRedirect = context.processors[mode]?.takes === 'redirect';
  if (!attempt || !(attempt.processorId || isRedirect)) return;
  const { status } = await cancelAttempt(context, attempt.id);
  if (status === 'processing') {
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
  return askWithTimeout(context, () => question(processor, charge, payment), { processor, charge });
}

async function askWithTimeout(
  { log }: Context,
  question: () => Promise<Verdict>,
  { processor, charge }: { processor: CheckoutProcessor; charge: Charge },
): Promise<Verdict> {
  try {
    return await answerInTime(question);
  } catch (error) {
    const about = { processor: processor.name, attemptId: charge.attemptId, reason: reasonOf(error) };
    log.error(about, 'The processor gave no answer');
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

function chargeOf({ publicUrl }: Context, payment: Payment, attempt: PaymentAttempt): Charge {
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
  };
}
