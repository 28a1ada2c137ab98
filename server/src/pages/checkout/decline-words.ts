/**
 * A decline is explained by its failure code, because the processor's message is in English and meant for the merchant.
 * See docs/decisions/checkout-page.md, "A decline is explained by its code".
 */
import type { TestCard } from '../../processors/port.ts';
import type { CardField } from './read-card-form.ts';
import type { Visit } from './visit.ts';
import type { WordKey } from './words/catalogues.ts';

export function reasonText({ payment, words }: Visit): string {
  const general = isByCard(payment) ? 'reason.declined' : 'reason.failed';
  return words.text(declines.get(payment.failureCode ?? '')?.reason ?? general);
}

export function adviceText({ payment, words }: Visit): string {
  const general = isByCard(payment) ? 'advice.other' : 'advice.otherMethod';
  return words.text(declines.get(payment.failureCode ?? '')?.advice ?? general);
}

function isByCard({ paymentMethod }: Visit['payment']): boolean {
  return (paymentMethod?.type ?? 'card') === 'card';
}

/** The field that the customer has to correct. The card number is always empty, so it is the field of other codes. */
export function fieldToCorrect({ payment }: Visit): CardField | null {
  if (!payment.failureCode || !isByCard(payment)) return null;
  return declines.get(payment.failureCode)?.field ?? 'cardNumber';
}

export function testOutcomeText({ words }: Visit, { decline, asksForStep, lateRefund }: TestCard): string {
  if (decline) return words.text(testDeclines.get(decline.code) ?? 'testCard.cardDeclined');
  if (asksForStep) return words.text('testCard.step');
  if (!lateRefund) return words.text('testCard.succeeds');
  const { result, afterSeconds: seconds } = lateRefund;
  return words.text(result === 'failed' ? 'testCard.refundFails' : 'testCard.refundCompletes', { seconds });
}

interface Sentences {
  reason: WordKey;
  /** Undefined when the page shows the general advice. */
  advice?: WordKey;
  field?: CardField;
}

const notConfirmed: Sentences = { reason: 'reason.notConfirmed', advice: 'advice.notConfirmed' };
const incorrectCvc: Sentences = { reason: 'reason.incorrectCvc', advice: 'advice.incorrectCvc', field: 'cvc' };
const incorrectExpiry: Sentences = {
  reason: 'reason.incorrectExpiry',
  advice: 'advice.expiredCard',
  field: 'expiry',
};
const limitExceeded: Sentences = { reason: 'reason.limitExceeded' };
const notSupported: Sentences = { reason: 'reason.notSupported' };

/**
 * The codes for a lost or stolen card have no explanation, because a thief must not learn that the card was reported.
 */
const declines: ReadonlyMap<string, Sentences> = new Map(
  Object.entries({
    insufficient_funds: { reason: 'reason.insufficientFunds', advice: 'advice.insufficientFunds' },
    expired_card: { reason: 'reason.expiredCard', advice: 'advice.expiredCard', field: 'expiry' },
    incorrect_cvc: incorrectCvc,
    invalid_cvc: incorrectCvc,
    incorrect_number: { reason: 'reason.incorrectNumber' },
    invalid_number: { reason: 'reason.incorrectNumber' },
    invalid_expiry_month: incorrectExpiry,
    invalid_expiry_year: incorrectExpiry,
    processing_error: { reason: 'reason.processingError', advice: 'advice.processingError' },
    authentication_failed: notConfirmed,
    authentication_required: notConfirmed,
    payment_intent_authentication_failure: notConfirmed,
    card_not_supported: notSupported,
    currency_not_supported: notSupported,
    card_velocity_exceeded: limitExceeded,
    withdrawal_count_limit_exceeded: limitExceeded,
    amount_mismatch: { reason: 'reason.otherAmount' },
    mobile_money_declined: { reason: 'reason.phoneDeclined' },
    mobile_money_insufficient_funds: { reason: 'reason.phoneFunds' },
    mobile_money_timeout: { reason: 'reason.phoneTimeout' },
    payment_failed: { reason: 'reason.failed' },
  } satisfies Record<string, Sentences>),
);

const testDeclines: ReadonlyMap<string, WordKey> = new Map(
  Object.entries({
    card_declined: 'testCard.cardDeclined',
    insufficient_funds: 'testCard.insufficientFunds',
    lost_card: 'testCard.lostCard',
    expired_card: 'testCard.expiredCard',
    incorrect_cvc: 'testCard.incorrectCvc',
    processing_error: 'testCard.processingError',
  } satisfies Record<string, WordKey>),
);
