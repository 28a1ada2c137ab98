import type { Html } from '../../kit/html.ts';
import { cancelledPage } from './cancelled.page.ts';
import type { Entered } from './entered.ts';
import { failedPage } from './failed.page.ts';
import { alreadyPaidPage, paidPage } from './paid.page.ts';
import { payPage } from './pay.page.ts';
import { continuePage, onwardPage } from './redirect.page.ts';
import { stepPage } from './step.page.ts';
import { connectingPage, expiredPage, processingPage, reviewPage } from './undecided.page.ts';
import type { Visit } from './visit.ts';
import { waitingPage } from './waiting.page.ts';

export function checkoutPage(visit: Visit, entered?: Partial<Entered>): Html {
  if (isMoneyUnderReview(visit)) return reviewPage(visit);
  switch (visit.payment.status) {
    case 'pending':
      return visit.payment.waitsFor ? waitingPage(visit) : payPage(visit, entered);
    case 'processing':
      return undecidedPage(visit);
    case 'completed':
      return visit.step === 'sent' ? paidPage(visit) : alreadyPaidPage(visit);
    case 'failed':
      return visit.payment.canceller ? cancelledPage(visit) : failedPage(visit);
    case 'expired':
      return visit.payment.canceller ? cancelledPage(visit) : expiredPage(visit);
  }
}

/**
 * Money came that an operator has to decide about, so the customer must not be asked to pay again. A customer who is
 * paying by card goes on, because the card may pay the whole amount.
 */
function isMoneyUnderReview({ payment, attempt }: Visit): boolean {
  const { status, reviewReasons } = payment;
  if (status === 'completed' || status === 'pending' || (status === 'processing' && attempt?.method === 'card'))
    return false;
  return reviewReasons.includes('amount_mismatch') || reviewReasons.includes('paid_late');
}

/**
 * `step === 'sent'` means that the customer has just paid on the processor's page, so this page waits for the verdict.
 */
function undecidedPage(visit: Visit): Html {
  const { attempt, step } = visit;
  if (attempt?.method === 'card' && attempt.processorId && !attempt.actionUrl) return stepPage(visit);
  if (attempt && !attempt.processorId && !visit.testCards) return connectingPage(visit);
  if (!attempt?.actionUrl || step === 'sent') return processingPage(visit);
  return step === 'onward' ? onwardPage(visit, attempt.actionUrl) : continuePage(visit, attempt.actionUrl);
}
