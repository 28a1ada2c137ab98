import type { Request } from 'express';
import { logoFile } from '../auth/merchants/merchant.entity.ts';
import { type Context, withFreshEntityManager } from '../context.ts';
import { inTransaction } from '../database/transaction.ts';
import { basePath } from '../kit/base-path.ts';
import { checkAttemptForPage } from '../payments/ask-processor.ts';
import { findOpenAttempt } from '../payments/attempts.service.ts';
import { expireIfDue, getPaymentByAccessCode } from '../payments/checkout.service.ts';
import { getProcessor } from '../payments/get-processor.ts';
import type { Payment } from '../payments/payment.entity.ts';
import type { PaymentAttempt } from '../payments/payment-attempt.entity.ts';
import type { CheckoutProcessor } from '../processors/port.ts';
import { getBrand } from './checkout-page.service.ts';
import { formNonce } from './form-nonce.ts';
import { stepOf, type Visit } from './visit.ts';
import { chooseWords } from './words/choose-words.ts';

export type CheckoutRequest = Request<{ accessCode: string }>;

/** Loads everything that the page of this payment needs, in its latest state. */
export async function openVisit(request: CheckoutRequest): Promise<Visit> {
  const { context, params, query } = request;
  const now = context.clock.now();
  const { payment, attempt, processor } = await loadCurrent(context, params.accessCode, now);
  // Throws when the mode has no processor. A payment that is not pending has a page without a processor too.
  if (payment.status === 'pending') getProcessor(context, payment.mode);
  const {
    name,
    logoHash,
    colour = null,
    termsUrl = null,
    supportUrl = null,
    supportEmail = null,
  } = await getBrand(context, payment);
  const base = checkoutPath(context);
  return {
    payment,
    attempt,
    merchantName: name,
    logo: logoHash ? `${base}/assets/${logoFile(logoHash)}` : null,
    colour,
    links: { termsUrl, supportUrl, supportEmail },
    testCards: processor?.takes === 'card' ? processor.testCards : null,
    ...chooseWords(payment.locale, request.acceptsLanguages()),
    step: stepOf(query.step),
    nonce: formNonce(context.sealer, payment),
    base,
    now,
  };
}

export function checkoutPath({ publicUrl }: Context): string {
  return `${basePath(publicUrl)}/checkout`;
}

interface Found {
  payment: Payment;
  attempt: PaymentAttempt | null;
  processor: CheckoutProcessor | undefined;
}

/**
 * Loads the payment and brings it up to date first: it expires a payment whose time is over, and it asks a redirect
 * processor about the open attempt, because the customer waits for the result.
 */
async function loadCurrent(context: Context, accessCode: string, now: Date): Promise<Found> {
  const found = await getPaymentByAccessCode(context, accessCode);
  const processor = context.processors[found.mode];
  const isDue = found.status === 'pending' && found.expiresAt <= now;
  if (isDue)
    return { payment: await inTransaction(context, (tx) => expireIfDue(tx, accessCode)), attempt: null, processor };
  const attempt = found.status === 'processing' ? await findOpenAttempt(context, found) : null;
  if (!attempt || processor?.takes !== 'redirect') return { payment: found, attempt, processor };
  await checkAttemptForPage(context, attempt.id);
  const fresh = withFreshEntityManager(context);
  const payment = await getPaymentByAccessCode(fresh, accessCode);
  return { payment, attempt: await findOpenAttempt(fresh, payment), processor };
}
