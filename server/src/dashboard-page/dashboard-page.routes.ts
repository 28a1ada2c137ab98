/**
 * Where a merchant's people sign in and see that the service works: pages rendered here, complete without script.
 */
import express, { type NextFunction, type Request, type RequestHandler, type Response, Router } from 'express';
import { closeSession, findSession, openSession } from '../auth/dashboard-session.service.ts';
import { getDashboardUser } from '../auth/dashboard-users.service.ts';
import { inTransaction } from '../database/transaction.ts';
import { rightGuess, signInPlaces } from '../http/guesses.ts';
import { setRetryAfter, statusOf } from '../http/page-failure.ts';
import { notStored, pageHeaders, refuseCrossSite } from '../http/page-headers.ts';
import type { RateLimits } from '../http/rate-limits.ts';
import { keepSession, sessionTokenOf } from '../http/session-cookie.ts';
import { basePath } from '../kit/base-path.ts';
import { AppError } from '../kit/errors.ts';
import { networkOf } from '../kit/network-of.ts';
import { listPayments } from '../payments/payments.service.ts';
import { listWebhookEndpoints } from '../webhooks/webhooks.service.ts';
import { revealSecret, showEndpoint } from './endpoint.routes.ts';
import { overviewPage } from './overview.page.ts';
import { failurePage, signInPage } from './sign-in.page.ts';
import { fieldOf, forVisitors, sendPage } from './visit.ts';

/** Everything below `/dashboard`, errors included. */
export function dashboardPageRoutes({ limits }: { limits: RateLimits }): Router {
  const pages = Router();
  pages.use(pageHeaders);
  pages.use('/assets', express.static(`${import.meta.dirname}/assets`, { index: false, redirect: false }));
  pages.use(notStored);
  pages.get('/', showOverview);
  pages.get('/sign-in', (request, response) => {
    sendPage(response, 200, signInPage({ base: basePath(request.context.publicUrl) }));
  });
  pages.post('/sign-in', refuseCrossSite, readForm, signIn(limits));
  pages.get('/endpoints/:id', showEndpoint);
  pages.post('/endpoints/:id', refuseCrossSite, readForm, revealSecret(limits));
  pages.post('/sign-out', refuseCrossSite, signOut);
  pages.use((_request, _response, next) => next({ status: 404 }));
  pages.use((error: unknown, request: Request, response: Response, next: NextFunction) => {
    if (response.headersSent) return next(error);
    sendFailure(error, request, response);
  });
  return Router().use('/dashboard', pages);
}

const latestPayments = { limit: 20, offset: 0 };

const readForm = express.urlencoded({ extended: false, limit: '4kb', parameterLimit: 10 });

const showOverview = forVisitors(async (visit, _request, response) => {
  const [payments, endpoints] = await Promise.all([
    listPayments(visit.context, {}, latestPayments),
    listWebhookEndpoints(visit.context),
  ]);
  sendPage(response, 200, overviewPage({ ...visit, payments, endpoints }));
});

const signIn =
  (limits: RateLimits): RequestHandler =>
  async (request, response) => {
    const { context } = request;
    const base = basePath(context.publicUrl);
    const typed = { email: fieldOf(request, 'email').trim(), password: fieldOf(request, 'password') };
    const places = signInPlaces(typed.email, networkOf(request.ip));
    const user = await rightGuess({ limits, places }, () => getDashboardUser(context, typed));
    if (!user) return sendPage(response, 422, signInPage({ base, refusedEmail: typed.email }));
    const { token } = await inTransaction(context, (writing) => openSession(writing, user));
    keepSession(response, context, token);
    response.redirect(303, `${base}/dashboard`);
  };

const signOut: RequestHandler = async (request, response) => {
  const { context } = request;
  const session = await findSession(context, sessionTokenOf(request));
  if (session) await inTransaction(context, (writing) => closeSession(writing, session));
  keepSession(response, context, null);
  response.redirect(303, `${basePath(context.publicUrl)}/dashboard/sign-in`);
};

function sendFailure(error: unknown, { context, id }: Request, response: Response): void {
  const status = statusOf(error);
  if (status >= 500) context.log.error({ err: error }, 'A dashboard page failed');
  setRetryAfter(response, error);
  const code = error instanceof AppError ? error.code : null;
  sendPage(response, status, failurePage({ base: basePath(context.publicUrl), code, status, requestId: id }));
}
