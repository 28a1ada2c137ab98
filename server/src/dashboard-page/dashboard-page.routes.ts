/**
 * Where a merchant's people sign in and see that the service works: pages rendered here, complete without script. The
 * session's token lives in a cookie that no script can read and no other site's form can send.
 */
import cookieParser from 'cookie-parser';
import express, { type NextFunction, type Request, type RequestHandler, type Response, Router } from 'express';
import { sessionLifeMs } from '../auth/dashboard-session.entity.ts';
import {
  closeSession,
  findDashboardUser,
  findSession,
  openSession,
  type SignIn,
  touchSession,
} from '../auth/dashboard-session.service.ts';
import type { Context } from '../context.ts';
import { inTransaction } from '../database/transaction.ts';
import { notStored, pageHeaders, refuseCrossSite } from '../http/page-headers.ts';
import { basePath } from '../kit/base-path.ts';
import type { Html } from '../kit/html.ts';
import { pickLocale } from '../kit/locale.ts';
import type { Mode } from '../kit/mode.ts';
import { listPayments } from '../payments/payments.service.ts';
import { listWebhookEndpoints } from '../webhooks/webhooks.service.ts';
import { overviewPage } from './overview.page.ts';
import { failurePage, signInPage } from './sign-in.page.ts';

/** Everything below `/dashboard`, errors included. */
export function dashboardPageRoutes(): Router {
  const pages = Router();
  pages.use(pageHeaders);
  pages.use('/assets', express.static(`${import.meta.dirname}/assets`, { index: false, redirect: false }));
  pages.use(notStored, cookieParser());
  pages.get('/', showOverview);
  pages.get('/sign-in', (request, response) => {
    sendPage(response, 200, signInPage({ base: basePath(request.context.publicUrl) }));
  });
  pages.post('/sign-in', refuseCrossSite, readForm, signIn);
  pages.post('/sign-out', refuseCrossSite, signOut);
  pages.use((_request, _response, next) => next({ status: 404 }));
  pages.use((error: unknown, request: Request, response: Response, next: NextFunction) => {
    if (response.headersSent) return next(error);
    sendFailure(error, request, response);
  });
  return Router().use('/dashboard', pages);
}

const cookieName = 'tillhook_session';
const latestPayments = { limit: 20, offset: 0 };

const readForm = express.urlencoded({ extended: false, limit: '4kb', parameterLimit: 10 });

const showOverview: RequestHandler = async (request, response) => {
  const { context } = request;
  const base = basePath(context.publicUrl);
  const token = tokenOf(request);
  const session = await findSession(context, token);
  if (!session) return response.redirect(303, `${base}/dashboard/sign-in`);
  if (!session.isFresh(context.clock.now())) await inTransaction(context, (tx) => touchSession(tx, token));
  const { user } = session;
  const mode: Mode = request.query.mode === 'live' ? 'live' : 'test';
  const reading = { ...context, principal: { merchantId: user.merchant.id, mode } };
  const [payments, endpoints] = await Promise.all([
    listPayments(reading, {}, latestPayments),
    listWebhookEndpoints(reading),
  ]);
  const locale = pickLocale(request.acceptsLanguages());
  sendPage(response, 200, overviewPage({ base, locale, mode, user, payments, endpoints }));
};

const signIn: RequestHandler = async (request, response) => {
  const { context } = request;
  const base = basePath(context.publicUrl);
  const typed = readSignIn(request.body);
  const user = await findDashboardUser(context, typed);
  if (!user) return sendPage(response, 422, signInPage({ base, refusedEmail: typed.email }));
  const token = await inTransaction(context, (tx) => openSession(tx, user));
  response.cookie(cookieName, token, { ...cookieOf(context), maxAge: sessionLifeMs });
  response.redirect(303, `${base}/dashboard`);
};

const signOut: RequestHandler = async (request, response) => {
  const { context } = request;
  await inTransaction(context, (tx) => closeSession(tx, tokenOf(request)));
  response.clearCookie(cookieName, cookieOf(context));
  response.redirect(303, `${basePath(context.publicUrl)}/dashboard/sign-in`);
};

function readSignIn(body: unknown): SignIn {
  const typed = (field: keyof SignIn) => {
    const value = (body as Partial<Record<string, unknown>> | undefined)?.[field];
    // Postgres cannot be asked for a NUL.
    return typeof value === 'string' ? value.replaceAll('\0', '').slice(0, 256) : '';
  };
  return { email: typed('email').trim(), password: typed('password') };
}

function tokenOf(request: Request): string {
  const value: unknown = request.cookies[cookieName];
  return typeof value === 'string' ? value : '';
}

function cookieOf(context: Context) {
  const secure = context.publicUrl.startsWith('https:');
  return { httpOnly: true, sameSite: 'lax', secure, path: `${basePath(context.publicUrl)}/` } as const;
}

function sendPage(response: Response, status: number, page: Html): void {
  response.status(status).type('html').send(String(page));
}

function sendFailure(error: unknown, { context, id }: Request, response: Response): void {
  const { status: stated } = error as { status?: unknown };
  const status = typeof stated === 'number' && stated >= 400 && stated < 500 ? stated : 500;
  if (status === 500) context.log.error({ err: error }, 'A dashboard page failed');
  sendPage(response, status, failurePage({ base: basePath(context.publicUrl), status, requestId: id }));
}
