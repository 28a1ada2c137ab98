import type { Html } from '../kit/html.ts';
import { formPage } from './form.page.ts';
import { alreadyPaidPage, declinedPage, expiredPage, failedPage, paidPage, processingPage } from './outcome.page.ts';
import type { Visit } from './visit.ts';

/** The one page that is right for the payment as it is now. */
export function checkoutPage(visit: Visit): Html {
  switch (visit.payment.status) {
    case 'pending':
      return visit.payment.attempts > 0 && visit.step !== 'again' ? declinedPage(visit) : formPage(visit);
    case 'processing':
      return processingPage(visit);
    case 'completed':
      return visit.step === 'sent' ? paidPage(visit) : alreadyPaidPage(visit);
    case 'failed':
      return failedPage(visit);
    case 'expired':
      return expiredPage(visit);
  }
}
