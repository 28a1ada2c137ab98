/**
 * Between a payment and whoever moves its money: asks with no transaction open, and settles by the verdict in one. No answer
 * is not a decline: the payment stays as it is, and the job `settle-undecided` asks again until somebody knows.
 * See docs/decisions/processors.md, "An interrupted attempt is asked about, never guessed".
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Called, type Context, ofItsOwn } from '../context.ts';
import { inTransaction } from '../database/transaction.ts';
import { AppError } from '../kit/errors.ts';
import {
  type CardDetails,
  type Charge,
  type CheckoutProcessor,
  ProcessorError,
  type Verdict,
} from '../processors/port.ts';
import { claimAttempt, findOpenAttempt, noteReturn, settleAttempt, settleIfOpen } from './attempts.service.ts';
import { getProcessor } from './get-processor.ts';
import { Payment } from './payment.entity.ts';
import { PaymentAttempt } from './payment-attempt.entity.ts';

/** Longer than any processor takes, and shorter than a customer waits. */
const patienceMs = 25_000;

/** The first question of an attempt that was saved just now. The card goes to the processor that takes cards, or nowhere. */
export function startAttempt(context: Context, attemptId: string, card?: CardDetails): Promise<Payment> {
  return ask(context, attemptId, (processor, charge) => {
    if (processor.takes === 'redirect') return processor.start(charge);
    if (!card) throw new Error('A processor that takes cards was given none.');
    return processor.start(charge, card);
  });
}

/** The customer passed the 3-D Secure step of our own page, or did not. */
export async function finishStep(context: Context, attemptId: string, hasPassed: boolean): Promise<Payment> {
  const verdict = await verdictOn(context, attemptId, (processor, charge) =>
    processor.takes === 'card' ? processor.finishStep(charge, hasPassed) : processor.status(charge),
  );
  return inTransaction(ofItsOwn(context), (writing) => settleIfOpen(writing, attemptId, verdict));
}

/** Asks what became of an attempt, for a page that waits for it; not when that was asked in the last seconds. */
export async function askForPage(context: Context, attemptId: string): Promise<void> {
  const isClaimed = await inTransaction(ofItsOwn(context), (writing) => claimAttempt(writing, attemptId));
  if (isClaimed) await ask(ofItsOwn(context), attemptId, (processor, charge) => processor.status(charge));
}

/** Asks what became of an open attempt; one whose payment has ended, or whose time ran out, is not to be paid any more. */
export function lookAfterAttempt(context: Context, attemptId: string): Promise<Payment> {
  return ask(context, attemptId, (processor, charge, payment) => {
    const isOver = payment.isFinal || payment.expiresAt <= context.clock.now();
    return isOver ? processor.cancel(charge) : processor.status(charge);
  });
}

/** The customer came back without having paid: once nothing can be paid there any more, they may try again here. */
export async function takeBack(context: Context, attemptId: string): Promise<Payment> {
  await inTransaction(ofItsOwn(context), (writing) => noteReturn(writing, attemptId));
  return ask(ofItsOwn(context), attemptId, (processor, charge) => processor.cancel(charge));
}

/**
 * Before a merchant withdraws a checkout: a customer who is at the processor's page cannot pay there any more. One whose
 * card is being decided is left alone, because money may already be moving. Throws `processor_error` without an answer.
 */
export async function takeBackCheckout(context: Context & Called, reference: string): Promise<void> {
  const { merchantId, mode } = context.principal;
  const { em } = ofItsOwn(context);
  const payment = await em.findOne(Payment, { merchantId, mode, reference, status: 'processing' });
  const attempt = payment && (await findOpenAttempt(context, payment));
  // Where the card is given elsewhere, nobody has given one before the processor has said where that is.
  const isElsewhere = context.processors[mode]?.takes === 'redirect';
  if (!attempt || !(attempt.processorId || isElsewhere)) return;
  const { status } = await takeBack(context, attempt.id);
  if (status === 'processing') {
    throw new AppError('processor_error', 'The payment processor gave no answer, so nothing was withdrawn; try again');
  }
}

type Question = (processor: CheckoutProcessor, charge: Charge, payment: Payment) => Promise<Verdict>;

async function ask(context: Context, attemptId: string, question: Question): Promise<Payment> {
  const verdict = await verdictOn(context, attemptId, question);
  return inTransaction(ofItsOwn(context), (writing) => settleAttempt(writing, attemptId, verdict));
}

async function verdictOn(context: Context, attemptId: string, question: Question): Promise<Verdict> {
  const { processor, charge, payment } = await prepare(context, attemptId);
  return answerOf(context, () => question(processor, charge, payment), { processor, charge });
}

async function answerOf(
  { log }: Context,
  question: () => Promise<Verdict>,
  { processor, charge }: { processor: CheckoutProcessor; charge: Charge },
): Promise<Verdict> {
  const patience = new AbortController();
  try {
    return await Promise.race([question(), silence(patience.signal)]);
  } catch (error) {
    // Of other errors the name alone is logged: whoever threw them may have been holding a card.
    const reason = error instanceof ProcessorError ? error.message : (error as Error).name;
    log.error({ processor: processor.name, attemptId: charge.attemptId, reason }, 'The processor gave no answer');
    return { result: 'unknown' };
  } finally {
    patience.abort();
  }
}

/** A processor's own time-outs may not count an answer that comes a byte at a time. */
async function silence(signal: AbortSignal): Promise<never> {
  await sleep(patienceMs, undefined, { signal });
  throw new ProcessorError(`no answer within ${patienceMs / 1000} s`);
}

async function prepare(context: Context, attemptId: string) {
  const { em } = ofItsOwn(context);
  const attempt = await em.findOne(PaymentAttempt, { id: attemptId });
  const payment = attempt && (await em.findOne(Payment, { id: attempt.paymentId }));
  if (!payment) throw new Error('There is no such attempt.');
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
    startedAt: attempt.startedAt,
    expiresAt: payment.expiresAt,
    paidUrl: `${page}?step=sent`,
    backUrl: `${page}/back`,
    processorId: attempt.processorId ?? null,
  };
}
