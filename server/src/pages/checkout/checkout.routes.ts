/**
 * A submit saves the attempt in one transaction, calls the processor, and settles the attempt in a second transaction.
 * The card number and the CVC are in memory only during the request that sends them.
 */
import compression from 'compression';
import express, { type NextFunction, type Request, type Response, Router } from 'express';
import { notStored, pageHeaders, refuseCrossSite } from '../../api/page-headers.ts';
import { type Context, withFreshEntityManager } from '../../context.ts';
import { notFound } from '../../kit/errors.ts';
import type { Html } from '../../kit/html.ts';
import { isId } from '../../kit/ids.ts';
import { lookFolder } from '../../kit/look.ts';
import { networkOf } from '../../kit/network-of.ts';
import type { MobilePhone, PaymentMethodType } from '../../kit/payment-method.ts';
import { cancelAttempt, finishStep, startAttempt } from '../../money/payments/ask-processor.ts';
import { submitAttempt } from '../../money/payments/attempts.service.ts';
import { abandonPayment } from '../../money/payments/checkout.service.ts';
import type { Awaited, Payment } from '../../money/payments/payment.entity.ts';
import { settlePayment } from '../../money/payments/settle-payment.service.ts';
import type { RateLimits } from '../../operation/rate-limits.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import type { CardDetails } from '../../processors/port.ts';
import { checkoutPage } from './checkout.page.ts';
import { versionOfForm } from './form-nonce.ts';
import { sendAccent, sendLogo } from './merchant-files.ts';
import { type CheckoutRequest, checkoutPath, openVisit } from './open-visit.ts';
import { payPage } from './pay.page.ts';
import { cardSummary, echoOfCard, readCardForm } from './read-card-form.ts';
import { readPhoneForm } from './read-phone-form.ts';
import { readForm, sendFailure, sendPage } from './send-page.ts';
import { hasPassedStep } from './step.page.ts';
import { pathOf, type Step, type Visit } from './visit.ts';
import { simulatedAmount } from './waiting.page.ts';

export function checkoutRoutes({ limits }: { limits: RateLimits }): Router {
  const pages = Router();
  pages.use(pageHeaders);
  // Choice: the pages are not compressed. They contain the secret access code and text that strangers choose, and the
  // size of a compressed response would reveal whether that text resembles the code.
  pages.use('/assets', compression());
  pages.get('/assets/accent-:hex.css', sendAccent);
  pages.get('/assets/logo-:hash.png', sendLogo);
  for (const folder of [lookFolder, `${import.meta.dirname}/assets`]) {
    pages.use('/assets', express.static(folder, { index: false, redirect: false }));
  }
  pages.use(notStored);
  pages
    .route('/:accessCode')
    .get(async (request: CheckoutRequest, response) => sendVisit(response, await openVisit(request)))
    .post(refuseCrossSite, submitsLimitedBy(limits), readForm, submit);
  pages.post('/:accessCode/step', refuseCrossSite, readForm, answerStep);
  pages.get('/:accessCode/back', returnFromProcessor);
  pages.post('/:accessCode/simulate', refuseCrossSite, readForm, simulateTransfer);
  pages.post('/:accessCode/return', refuseCrossSite, returnToMerchant);
  pages.use((_request, _response, next) => next(notFound()));
  pages.use((error: unknown, request: Request, response: Response, next: NextFunction) => {
    if (response.headersSent) return next(error);
    sendFailure(error, request, response);
  });
  return Router().use('/checkout', pages);
}

/** Choice: the rate limits count submits and not page views, because a page view does not try a card. */
function submitsLimitedBy(limits: RateLimits) {
  return async ({ ip, params }: CheckoutRequest, _response: Response, next: NextFunction) => {
    const accessCode = params.accessCode.toLowerCase();
    if (!isId(accessCode)) throw notFound();
    await limits.count('checkout_address', networkOf(ip));
    await limits.count('checkout', accessCode);
    await limits.count('checkout_hourly', accessCode);
    next();
  };
}

async function submit(request: CheckoutRequest, response: Response): Promise<void> {
  const { context, body } = request;
  const visit = await openVisit(request);
  // The payment accepts no form at present, so the form is not read. The payment's page explains why.
  if (visit.payment.status !== 'pending' || visit.payment.waitsFor) return seeOther(response, visit);
  const seenVersion = versionOfForm(context.sealer, visit.payment, body);
  if (seenVersion === null)
    return sendVisit(response, visit, { status: 422, page: payPage(visit, { isForged: true }) });
  if (seenVersion !== visit.payment.version) return seeOther(response, visit);
  const method = methodOf(body, visit);
  if (method === 'bank_transfer') {
    return seeOther(response, visit, await wait(context, { visit, seenVersion, awaited: { type: method } }));
  }
  if (method === 'mobile_money' && visit.phones) {
    const form = readPhoneForm(body, visit.phones);
    if ('errors' in form) {
      const { errors, echo: phone } = form;
      return sendVisit(response, visit, { status: 422, page: payPage(visit, { method, errors, phone }) });
    }
    const { number, operator } = form.phone;
    const awaited = { type: method, operator, last4: number.slice(-4) };
    return seeOther(response, visit, await wait(context, { visit, seenVersion, awaited, phone: form.phone }));
  }
  if (method !== 'card') return seeOther(response, visit);
  if (!visit.testCards) return seeOther(response, visit, (await pay(context, { visit, seenVersion })).step);
  const form = readCardForm(body, { now: visit.now, testCards: visit.testCards });
  if ('errors' in form) return sendVisit(response, visit, { status: 422, page: payPage(visit, { method, ...form }) });
  const { step, status } = await pay(context, { visit, seenVersion, card: form.card });
  if (status !== 'pending') return seeOther(response, visit, step);
  // See docs/decisions/checkout-page.md, "A declined card is answered with the form".
  // The expiry date and the name are stored nowhere, so only the response to this request can contain them.
  const declined = await openVisit(request);
  sendVisit(response, declined, { status: 200, page: checkoutPage(declined, { echo: echoOfCard(form.card) }) });
}

/** The card form names no method. */
function methodOf(body: unknown, { methods }: Visit): PaymentMethodType | undefined {
  const { method = 'card' } = (body ?? {}) as { method?: unknown };
  return methods.find((offered) => offered === method);
}

interface Paying {
  visit: Visit;
  seenVersion: string;
  card?: CardDetails;
}

interface Waiting extends Omit<Paying, 'card'> {
  awaited: Awaited;
  phone?: MobilePhone;
}

async function wait(context: Context, { visit, seenVersion, awaited, phone }: Waiting): Promise<Step> {
  const submitted = { card: null, awaited, seenVersion, pageLocale: visit.words.locale };
  const { attempt } = await inTransaction(withFreshEntityManager(context), (tx) =>
    submitAttempt(tx, visit.payment.accessCode, submitted),
  );
  if (attempt) await startAttempt(context, attempt.id, phone ? { phone } : {});
  return 'sent';
}

interface Tried {
  step: Step;
  status: Payment['status'];
}

async function pay(context: Context, { visit, seenVersion, card }: Paying): Promise<Tried> {
  const { accessCode } = visit.payment;
  const submitted = { card: card ? cardSummary(card) : null, seenVersion, pageLocale: visit.words.locale };
  const { payment, attempt } = await inTransaction(withFreshEntityManager(context), (tx) =>
    submitAttempt(tx, accessCode, submitted),
  );
  const onward = card ? 'sent' : 'onward';
  // Another submit of this payment was faster, such as the first click of a double click.
  if (!attempt) return { step: payment.status === 'processing' ? onward : 'arrived', status: payment.status };
  const { status } = await startAttempt(context, attempt.id, card ? { card } : {});
  return { step: onward, status };
}

/** The customer's second answer to the 3-D Secure step, or an answer for an earlier attempt, has no effect. */
async function answerStep(request: CheckoutRequest, response: Response): Promise<void> {
  const { context, body } = request;
  const visit = await openVisit(request);
  const hasPassed = hasPassedStep(body);
  const isCurrentForm = versionOfForm(context.sealer, visit.payment, body) === visit.payment.version;
  if (visit.attempt && isCurrentForm && hasPassed !== null) await finishStep(context, visit.attempt.id, hasPassed);
  seeOther(response, visit, 'sent');
}

/** The form carries the version of the payment, so a double click sends the money once. */
async function simulateTransfer(request: CheckoutRequest, response: Response): Promise<void> {
  const { context, body } = request;
  const visit = await openVisit(request);
  const { payment, attempt } = visit;
  const amount = simulatedAmount(body, payment.amount);
  const isCurrentForm = versionOfForm(context.sealer, payment, body) === payment.version;
  const mayReceive = payment.mode === 'test' && payment.waitsFor === 'bank_transfer' && isCurrentForm;
  if (attempt && amount !== null && mayReceive) {
    const money = { result: 'paid', amount, currency: payment.currency, depositId: payment.version } as const;
    await inTransaction(withFreshEntityManager(context), (tx) => settlePayment(tx, attempt.id, money));
  }
  seeOther(response, visit, 'sent');
}

/**
 * Called when the customer returns from the processor's page without paying, which cancels the attempt. A prefetch
 * cancels nothing.
 */
async function returnFromProcessor(request: CheckoutRequest, response: Response): Promise<void> {
  const visit = await openVisit(request);
  const purpose = ['Sec-Purpose', 'Purpose', 'X-Moz'].map((name) => request.get(name)).join();
  const isPrefetch = request.method === 'HEAD' || purpose.includes('prefetch');
  const { attempt, testCards } = visit;
  if (attempt && (attempt.processorId || !testCards) && !isPrefetch) await cancelAttempt(request.context, attempt.id);
  seeOther(response, visit);
}

/**
 * Returning to the merchant after a decline makes the payment fail, so it needs a POST, which browsers never prefetch.
 */
async function returnToMerchant({ context, params }: CheckoutRequest, response: Response): Promise<void> {
  const payment = await inTransaction(context, (tx) => abandonPayment(tx, params.accessCode));
  seeOther(response, { base: checkoutPath(context), payment }, 'left');
}

function seeOther(response: Response, visit: Pick<Visit, 'base' | 'payment'>, step?: Step): void {
  response.redirect(303, pathOf(visit, step));
}

function sendVisit(
  response: Response,
  visit: Visit,
  { status, page }: { status: number; page: Html } = currentPage(visit),
): void {
  sendPage(response, status, page);
}

const currentPage = (visit: Visit) => ({ status: 200, page: checkoutPage(visit) });
