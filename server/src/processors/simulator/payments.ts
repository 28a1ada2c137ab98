/** The card number decides the outcome of a test payment, and nothing leaves this process. */
import type { Mode } from '../../kit/mode.ts';
import type { CardDetails, CardProcessor, Charge, RefundOrder, RefundVerdict, TestCard, Verdict } from '../port.ts';
import { simulatedTransfers, waiting } from './bank-transfers.ts';
import { answerOfPhone, simulatedMobileMoney } from './mobile-money.ts';

const visa = (number: string): TestCard => ({ number, brand: 'visa' });

const declining = (number: string, code: string, message: string): TestCard => ({
  ...visa(number),
  decline: { code, message },
});

/** Choice: half a minute, so that a developer first sees a delayed refund as processing. */
const refundSeconds = 30;

const testCards: readonly TestCard[] = [
  visa('4242424242424242'),
  { number: '5555555555554444', brand: 'mastercard' },
  { number: '378282246310005', brand: 'amex' },
  visa('4084084084084081'),
  { ...visa('4000000000003220'), asksForStep: true },
  { ...visa('4000000000007726'), lateRefund: { afterSeconds: refundSeconds, result: 'completed' } },
  { ...visa('4000000000005126'), lateRefund: { afterSeconds: refundSeconds, result: 'failed' } },
  declining('4000000000000002', 'card_declined', 'The card was declined'),
  declining('4000000000009995', 'insufficient_funds', 'The card has insufficient funds'),
  // Only the code, which merchants see, says that the card is lost: the customer may not be the owner of the card.
  declining('4000000000009987', 'lost_card', 'The card was declined'),
  declining('4000000000000069', 'expired_card', 'The card has expired'),
  declining('4000000000000127', 'incorrect_cvc', 'The security code is incorrect'),
  declining('4000000000000119', 'processing_error', 'The card could not be processed'),
];

/** The simulator's id for an attempt that waits for the 3-D Secure step. Other attempts are decided at once. */
const waitingForStep = 'simulated_3ds';

export function createPaymentSimulator(mode: Mode): CardProcessor {
  if (mode !== 'test') throw new Error('The payment simulator was created for live mode.');
  return {
    name: 'simulator',
    takes: 'card',
    testCards,
    bankTransfers: simulatedTransfers,
    mobileMoney: simulatedMobileMoney,
    start,
    status,
    cancel,
    finishStep,
    refund,
    refundStatus,
  };
}

async function start(charge: Charge, { number }: CardDetails): Promise<Verdict> {
  const card = testCards.find((known) => known.number === number);
  // The message must not contain the card number: it may be the number of a real card, and errors are logged.
  if (!card) throw new Error('The simulator was called with a card that is not one of its test cards.');
  if (card.decline) return { result: 'declined', ...card.decline };
  return card.asksForStep ? { result: 'open', processorId: waitingForStep } : paid(charge);
}

async function finishStep(charge: Charge, hasPassed: boolean): Promise<Verdict> {
  if (charge.processorId !== waitingForStep) return status(charge);
  if (hasPassed) return paid(charge);
  return { result: 'declined', code: 'authentication_failed', message: 'The bank did not confirm the cardholder' };
}

/** The simulator stores no attempts. An attempt whose verdict was lost is declined, because no money moved. */
async function status(charge: Charge): Promise<Verdict> {
  const { processorId, method } = charge;
  if (processorId === waitingForStep) return { result: 'open', processorId };
  if (method === 'bank_transfer') return waiting(charge);
  const answer = answerOfPhone(charge);
  if (answer) return answer;
  return {
    result: 'declined',
    code: 'processing_error',
    message: 'The attempt was interrupted and nothing was charged',
  };
}

async function cancel(): Promise<Verdict> {
  return { result: 'cancelled' };
}

async function refund(order: RefundOrder): Promise<RefundVerdict> {
  const late = lateRefundOf(order);
  return late ? { result: 'processing', checkAfterSeconds: late.afterSeconds } : { result: 'completed' };
}

async function refundStatus(order: RefundOrder): Promise<RefundVerdict> {
  if (lateRefundOf(order)?.result !== 'failed') return { result: 'completed' };
  return { result: 'failed', code: 'refund_failed', message: 'The bank of the customer refused the refund' };
}

/** Finds the test card by its last four digits, because the service stores no more of the number. */
function lateRefundOf({ cardLast4 }: RefundOrder): TestCard['lateRefund'] {
  return cardLast4 ? testCards.find(({ number }) => number.endsWith(cardLast4))?.lateRefund : undefined;
}

function paid({ amount, currency }: Charge): Verdict {
  return { result: 'paid', amount, currency };
}
