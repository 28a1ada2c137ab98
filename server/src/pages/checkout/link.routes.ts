/**
 * The page of a payment link: `/pay/{slug}`. Its form creates a checkout for this customer alone, and leads on to it.
 * Requests from other sites are refused, and the number of checkouts is limited for each network.
 */
import { type NextFunction, type Request, type Response, Router } from 'express';
import { notStored, pageHeaders, refuseCrossSite } from '../../api/page-headers.ts';
import { AppError, notFound } from '../../kit/errors.ts';
import { networkOf } from '../../kit/network-of.ts';
import { entersAmount, startLinkCheckout } from '../../money/payment-links/link-checkouts.service.ts';
import type { RateLimits } from '../../operation/rate-limits.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { linkPage } from './link.page.ts';
import { type LinkRequest, openLinkVisit } from './link-visit.ts';
import { readLinkForm } from './read-link-form.ts';
import { readForm, sendFailure, sendPage } from './send-page.ts';

export function linkRoutes({ limits }: { limits: RateLimits }): Router {
  const pages = Router();
  pages.use(pageHeaders, notStored);
  pages
    .route('/:slug')
    .get(async (request: LinkRequest, response) => sendPage(response, 200, linkPage(await openLinkVisit(request))))
    .post(refuseCrossSite, beginningsLimitedBy(limits), readForm, beginCheckout);
  pages.use((_request, _response, next) => next(notFound()));
  pages.use((error: unknown, request: Request, response: Response, next: NextFunction) => {
    if (response.headersSent) return next(error);
    sendFailure(error, request, response, {
      404: { heading: 'link.unknown.heading', advice: 'link.unknown.advice' },
    });
  });
  return Router().use('/pay', pages);
}

/** Counts unknown links too, so that a network cannot try many slugs. */
function beginningsLimitedBy(limits: RateLimits) {
  return async ({ ip }: Request, _response: Response, next: NextFunction) => {
    await limits.count('payment_link', networkOf(ip));
    next();
  };
}

async function beginCheckout(request: LinkRequest, response: Response): Promise<void> {
  const { context, body } = request;
  const visit = await openLinkVisit(request);
  const { opened } = visit;
  if (opened.state !== 'active') return sendPage(response, 200, linkPage(visit));
  const form = readLinkForm(body, visit);
  if ('errors' in form) return sendPage(response, 422, linkPage(visit, form));
  try {
    const { accessCode } = await inTransaction(context, (tx) => startLinkCheckout(tx, opened, form.choice));
    response.redirect(303, `${visit.base}/${accessCode}`);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'unsupported_currency') throw error;
    // The payment processor refuses the amount, such as one below its minimum.
    if (!entersAmount(opened)) {
      return sendPage(response, 200, linkPage({ ...visit, opened: { ...opened, state: 'unavailable' } }));
    }
    const errors = { amount: 'linkProblem.amount.refused' as const };
    sendPage(response, 422, linkPage(visit, { errors, echo: form.echo }));
  }
}
