import type { Html } from '../../kit/html.ts';
import { cancelledPage } from './cancelled.page.ts';
import { type Entered, formPage } from './card-form.page.ts';
import { failedPage } from './failed.page.ts';
import { alreadyPaidPage, paidPage } from './paid.page.ts';
import { continuePage, onwardPage, startPage } from './redirect.page.ts';
import { stepPage } from './step.page.ts';
import { connectingPage, expiredPage, processingPage } from './undecided.page.ts';
import type { Visit } from './visit.ts';

export function checkoutPage(visit: Visit, entered?: Partial<Entered>): Html {
  switch (visit.payment.status) {
    case 'pending':
      return payPage(visit, entered);
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

export function payPage(visit: Visit, entered?: Partial<Entered>): Html {
  return visit.testCards ? formPage(visit, visit.testCards, entered) : startPage(visit, entered);
}

/**
 * `step === 'sent'` means that the customer has just paid on the processor's page, so this page waits for the verdict.
 */
function undecidedPage(visit: Visit): Html {
  const { attempt, step } = visit;
  if (attempt?.processorId && !attempt.actionUrl) return stepPage(visit);
  if (attempt && !attempt.processorId && !visit.testCards) return connectingPage(visit);
  if (!attempt?.actionUrl || step === 'sent') return processingPage(visit);
  return step === 'onward' ? onwardPage(visit, attempt.actionUrl) : continuePage(visit, attempt.actionUrl);
}
