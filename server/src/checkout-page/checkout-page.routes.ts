/**
 * The hosted checkout: pages for the customer, rendered here and complete without script. A submit is two transactions
 * with the processor asked between them, and ends in a redirect to the payment's own address, which shows whatever is
 * true by then. Card number and CVC live in the request that brings them and nowhere else.
 */
import express, { type NextFunction, type Request, type Response, Router } from 'express';
import type { Context } from '../context.ts';
import { inTransaction } from '../database/transaction.ts';
import { statusOf } from '../http/page-failure.ts';
import { notStored, pageHeaders, refuseCrossSite } from '../http/page-headers.ts';
import { RateLimited, type RateLimits } from '../http/rate-limits.ts';
import { basePath } from '../kit/base-path.ts';
import { AppError, notFound } from '../kit/errors.ts';
import type { Html } from '../kit/html.ts';
import { pickLocale } from '../kit/locale.ts';
import { networkOf } from '../kit/network-of.ts';
import {
  abandonPayment,
  expireIfDue,
  getPaymentByAccessCode,
  settleAttempt,
  submitCard,
} from '../payments/checkout.service.ts';
import type { CardDetails, Charge, CheckoutProcessor, Processors, Verdict } from '../processors/port.ts';
import { cardSummary, readCardForm } from './card-form.ts';
import { checkoutPage } from './checkout.page.ts';
import { getMerchantName } from './checkout-page.service.ts';
import { errorPage } from './error.page.ts';
import { formPage } from './form.page.ts';
import { pathOf, type Step, stepOf, type Visit } from './visit.ts';

type CheckoutRequest = Request<{ accessCode: string }>;

interface CheckoutPageParts {
  processors: Processors;
  limits: RateLimits;
}

/** Everything below `/checkout`, errors included: a customer never meets JSON. */
export function checkoutPageRoutes({ processors, limits }: CheckoutPageParts): Router {
  const pages = Router();
  pages.use(pageHeaders);
  pages.use('/assets', express.static(`${import.meta.dirname}/assets`, { index: false, redirect: false }));
  pages.use(notStored);
  pages
    .route('/:accessCode')
    .get(async (request: CheckoutRequest, response) => {
      const visit = await openVisit(processors, request);
      sendPage(response, 200, checkoutPage(visit));
    })
    .post(refuseCrossSite, submitsLimitedBy(limits), readForm, (request: CheckoutRequest, response) =>
      submit(processors, request, response),
    );
  pages.post('/:accessCode/return', refuseCrossSite, async (request: CheckoutRequest, response) => {
    const { context, params } = request;
    const payment = await inTransaction(context, (tx) => abandonPayment(tx, params.accessCode));
    seeOther(response, { base: checkoutPath(context), payment }, 'left');
  });
  pages.use((_request, _response, next) => next(notFound()));
  pages.use((error: unknown, request: Request, response: Response, next: NextFunction) => {
    if (response.headersSent) return next(error);
    sendFailure(error, request, response);
  });
  return Router().use('/checkout', pages);
}

const accessCodeForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Choice: only submits are counted, not visits: a page that polls or is reloaded tries no card. */
function submitsLimitedBy(limits: RateLimits) {
  return async ({ ip, params }: CheckoutRequest, _response: Response, next: NextFunction) => {
    const accessCode = params.accessCode.toLowerCase();
    if (!accessCodeForm.test(accessCode)) throw notFound();
    await limits.count('checkout_address', networkOf(ip));
    await limits.count('checkout', accessCode);
    await limits.count('checkout_hourly', accessCode);
    next();
  };
}

/** A card form has four short fields. */
const readForm = express.urlencoded({ extended: false, limit: '4kb', parameterLimit: 20 });

/** Everything the page of this payment needs, after the time that may have run out for it. */
async function openVisit(processors: Processors, request: CheckoutRequest): Promise<Visit> {
  const { context } = request;
  const { accessCode } = request.params;
  const now = context.clock.now();
  const found = await getPaymentByAccessCode(context, accessCode);
  const isDue = found.status === 'pending' && found.expiresAt <= now;
  const payment = isDue ? await inTransaction(context, (tx) => expireIfDue(tx, accessCode)) : found;
  const processor = processors[payment.mode];
  if (!processor && payment.status === 'pending') {
    throw new AppError('processor_not_configured', `No payment processor is configured for ${payment.mode} mode`);
  }
  return {
    payment,
    merchantName: await getMerchantName(context, payment),
    testCards: processor?.testCards ?? [],
    locale: pickLocale([payment.locale, ...request.acceptsLanguages()]),
    step: stepOf(request.query.step),
    base: checkoutPath(context),
    now,
  };
}

async function submit(processors: Processors, request: CheckoutRequest, response: Response): Promise<void> {
  const visit = await openVisit(processors, request);
  const processor = processors[visit.payment.mode];
  // A payment that takes no card any more has a page that says so, whatever was typed.
  if (!processor || visit.payment.status !== 'pending') return seeOther(response, visit);
  const form = readCardForm(request.body, visit);
  if ('errors' in form) return sendPage(response, 422, formPage(visit, form));
  const step = await pay(request.context, { visit, processor, card: form.card });
  seeOther(response, visit, step);
}

interface Paying {
  visit: Visit;
  processor: CheckoutProcessor;
  card: CardDetails;
}

/** Saves the attempt, asks the processor with no transaction open, saves the verdict. */
async function pay(context: Context, { visit, processor, card }: Paying): Promise<Step> {
  const { accessCode } = visit.payment;
  const { payment, attempt } = await inTransaction(context, (tx) => submitCard(tx, accessCode, cardSummary(card)));
  // Someone was first, such as a second click. Paid by then reads "already paid"; otherwise it is this payment going on.
  if (!attempt) return payment.status === 'processing' ? 'sent' : 'arrived';
  const { reference, amount, currency } = payment;
  const verdict = await ask({ context, processor }, { attemptId: attempt.id, reference, amount, currency }, card);
  await inTransaction(context, (tx) => settleAttempt(tx, attempt.id, verdict));
  return 'sent';
}

/** No answer is not a decline: the payment stays as it is until somebody knows. */
async function ask(
  by: { context: Context; processor: CheckoutProcessor },
  charge: Charge,
  card: CardDetails,
): Promise<Verdict> {
  const { context, processor } = by;
  try {
    return await processor.start(charge, card);
  } catch {
    // The error is not logged: whoever threw it was holding the card.
    context.log.error({ processor: processor.name, attemptId: charge.attemptId }, 'The processor gave no answer');
    return { result: 'unknown' };
  }
}

function checkoutPath({ publicUrl }: Context): string {
  return `${basePath(publicUrl)}/checkout`;
}

function seeOther(response: Response, visit: Pick<Visit, 'base' | 'payment'>, step?: Step): void {
  response.redirect(303, pathOf(visit, step));
}

function sendPage(response: Response, status: number, page: Html): void {
  response.status(status).type('html').send(String(page));
}

function sendFailure(error: unknown, { context, id }: Request, response: Response): void {
  const status = statusOf(error);
  if (status >= 500) context.log.error({ err: error }, 'A checkout page failed');
  if (error instanceof RateLimited) response.setHeader('Retry-After', error.state.resetSeconds);
  sendPage(response, status, errorPage({ base: checkoutPath(context), status, requestId: id }));
}
