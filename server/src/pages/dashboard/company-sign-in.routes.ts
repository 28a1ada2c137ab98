// The way of a browser to the company's issuer and back. Each failure becomes a sentence of the sign-in page.
// See docs/decisions/auth.md, "The way to the issuer is in a sealed cookie".
import express, { type NextFunction, type Request, type Response, Router } from 'express';
import { withinBound } from '../../api/bodies.ts';
import { notStored, refuseCrossSite } from '../../api/page-headers.ts';
import { keepSession, sessionTokenOf } from '../../api/session-cookie.ts';
import { type Context, withFreshEntityManager } from '../../context.ts';
import { basePath } from '../../kit/base-path.ts';
import { AppError } from '../../kit/errors.ts';
import { networkOf } from '../../kit/network-of.ts';
import { countingGuesses } from '../../operation/guesses.ts';
import type { RateLimits } from '../../operation/rate-limits.ts';
import {
  enterWithCompany,
  type OwnProof,
  type Person,
  SignInRefused,
  useState,
  visitMs,
} from '../../people/company/company-sign-in.service.ts';
import { type CompanySettings, createIssuer, IssuerError, type Visit } from '../../people/company/issuer.ts';
import { isSixDigits } from '../../people/sessions/codes.service.ts';
import { sessionLifeMs } from '../../people/sessions/dashboard-session.entity.ts';
import { inTransaction, isConstraintViolation } from '../../platform/database/transaction.ts';
import { sealedCookie } from './sealed-cookie.ts';

interface Away extends Visit {
  from: string;
}

interface Proved {
  person: Person;
  userId: string;
  from: string;
}

const formBytes = 1024;
const readForm = withinBound(express.urlencoded({ extended: false, limit: formBytes, parameterLimit: 5 }), formBytes);

export function companySignInRoutes(
  company: CompanySettings,
  { publicUrl, clock }: Pick<Context, 'publicUrl' | 'clock'>,
  limits: RateLimits,
): Router {
  const dashboard = `${publicUrl}/dashboard`;
  const issuer = createIssuer(company, {
    callbackUrl: `${dashboard}/oidc/callback`,
    signedOutUrl: `${dashboard}/sign-in`,
    clock,
  });
  const pages = Router();
  pages.use(notStored, async ({ ip }, _response, next) => {
    await limits.count('company_sign_in', networkOf(ip));
    next();
  });

  pages.get('/start', async (request, response) => {
    const { url, visit } = await issuer.begin();
    away.keep(response, request.context, { ...visit, from: pathIn(request.query.from) });
    response.redirect(303, url);
  });

  pages.get('/callback', async (request, response) => {
    const { context } = request;
    const visit = away.take(request, response);
    if (!visit || !(await inTransaction(context, (tx) => useState(tx, visit.state))))
      throw new IssuerError('again', 'No sign-in has begun.');
    response.locals.from = visit.from;
    const [, query] = request.originalUrl.split(/\?(.*)/s);
    const { idToken, ...person } = await issuer.finish(new URLSearchParams(query), visit);
    const entry = await enterInTransaction(context, person, { session: sessionTokenOf(request) });
    signedIn.keep(response, context, { idToken: idToken.length > maxIdToken ? null : idToken });
    if ('token' in entry) return enter(request, response, { token: entry.token, from: visit.from });
    proved.keep(response, context, { person, userId: entry.codeFor, from: visit.from });
    toSignIn(request, response, { step: 'code', from: visit.from });
  });

  pages.post('/code', refuseCrossSite, readForm, async (request, response) => {
    const { context, body } = request;
    const proof = proved.read(request);
    if (!proof) throw new IssuerError('again', 'No sign-in waits for a code.');
    Object.assign(response.locals, { from: proof.from, step: 'code' });
    const code = String(body?.code ?? '').slice(0, 64);
    const countedLimits = isSixDigits(code) ? [{ policy: 'code' as const, key: proof.userId }] : [];
    const entry = await countingGuesses({ limits, countedLimits }, () =>
      enterInTransaction(context, proof.person, { code, session: sessionTokenOf(request) }),
    );
    if (!('token' in entry)) throw new IssuerError('again', 'Another user has the account now.');
    proved.drop(response, context);
    enter(request, response, { token: entry.token, from: proof.from });
  });

  // The dashboard has ended our session before. A link of another site must not end the company's session.
  pages.get('/sign-out', refuseCrossSite, async (request, response) => {
    response.locals.problem = 'still_there';
    const kept = signedIn.take(request, response);
    const url = kept && (await issuer.signOutUrl(kept.idToken));
    if (url) response.redirect(303, url);
    else toSignIn(request, response, {});
  });

  pages.use((_request, _response, next) => next('router'));
  pages.use((error: unknown, request: Request, response: Response, next: NextFunction) => {
    if (response.headersSent) return next(error);
    sayProblem(error, request, response);
  });
  return Router().use('/dashboard/oidc', pages);
}

/** Two first sign-ins of a person may arrive together: the second try finds what the other sign-in has made. */
async function enterInTransaction(context: Context, person: Person, proof: OwnProof) {
  const attempt = () => inTransaction(withFreshEntityManager(context), (tx) => enterWithCompany(tx, person, proof));
  return attempt().catch((error: unknown) => (isConstraintViolation(error) ? attempt() : Promise.reject(error)));
}

function enter({ context }: Request, response: Response, { token, from }: { token: string; from: string }): void {
  keepSession(response, context, token);
  response.redirect(303, `${basePath(context.publicUrl)}/dashboard${from}`);
}

function sayProblem(error: unknown, request: Request, response: Response): void {
  const problem = response.locals.problem ?? problemOf(error);
  const { log } = request.context;
  if (problem === 'failed') log.error({ err: error }, 'Failed to sign a user in with a company account');
  else log.warn({ problem, reason: (error as Error).message }, 'A company sign-in was refused');
  toSignIn(request, response, { ...response.locals, problem });
}

/** `src/sign-in/company-sign-in.tsx` of the dashboard has a sentence for each problem. */
function problemOf(error: unknown): string {
  if (error instanceof IssuerError || error instanceof SignInRefused) return error.problem;
  return (error instanceof AppError && knownErrors[error.code]) || 'failed';
}

const knownErrors: Partial<Record<AppError['code'], string>> = {
  merchant_suspended: 'suspended',
  invalid_code: 'wrong_code',
  rate_limited: 'too_many',
  cross_site_request: 'again',
};

function toSignIn({ context }: Request, response: Response, search: Record<string, string>): void {
  const query = new URLSearchParams(Object.entries(search).filter(([, value]) => value !== '/'));
  response.redirect(303, `${basePath(context.publicUrl)}/dashboard/sign-in${query.size > 0 ? `?${query}` : ''}`);
}

/** Only a page of the dashboard, so that a link to the sign-in cannot lead to another site. */
function pathIn(from: unknown): string {
  return typeof from === 'string' && from.length <= maxFrom && /^\/(test|live)(?=[/?]|$)[^\s\\]*$/.test(from)
    ? from
    : '/';
}

const maxFrom = 1000;
/** Browsers refuse a cookie above 4 KB. A longer ID token is not sent to the issuer's sign-out page, which then asks. */
const maxIdToken = 2400;

const away = sealedCookie<Away>({ name: 'tillhook_oidc', lastsMs: visitMs });
const proved = sealedCookie<Proved>({ name: 'tillhook_oidc_proved', lastsMs: visitMs });
/** This cookie is long, so browsers send it only where it is needed. */
const signedIn = sealedCookie<{ idToken: string | null }>({
  name: 'tillhook_oidc_signed_in',
  lastsMs: sessionLifeMs,
  folder: '/dashboard/oidc/',
});
