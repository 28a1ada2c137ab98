/**
 * Who looks at a page of the dashboard: the session's token lives in a cookie that no script can read and no other site's
 * form can send.
 */
import type { Request, RequestHandler, Response } from 'express';
import { findSession, touchSession } from '../auth/dashboard-session.service.ts';
import type { DashboardUser } from '../auth/dashboard-user.entity.ts';
import type { Called, Context, Principal } from '../context.ts';
import { inTransaction } from '../database/transaction.ts';
import { basePath } from '../kit/base-path.ts';
import type { Html } from '../kit/html.ts';
import { pickLocale } from '../kit/locale.ts';
import type { Mode } from '../kit/mode.ts';

export interface Visit {
  /** Reads as the user's merchant, in this mode. */
  context: Context & Called;
  user: DashboardUser;
  mode: Mode;
  base: string;
  locale: string;
}

/** A page for those who are signed in; anybody else is asked to. */
export function forVisitors(
  show: (visit: Visit, request: Request, response: Response) => Promise<void>,
): RequestHandler {
  return async (request, response) => {
    const { context } = request;
    const base = basePath(context.publicUrl);
    const token = tokenOf(request);
    const session = await findSession(context, token);
    if (!session) return response.redirect(303, `${base}/dashboard/sign-in`);
    if (!session.isFresh(context.clock.now())) await inTransaction(context, (tx) => touchSession(tx, token));
    const { user } = session;
    const mode: Mode = request.query.mode === 'live' ? 'live' : 'test';
    const locale = pickLocale(request.acceptsLanguages());
    const visit = { context: { ...context, principal: principalOf(user, mode) }, user, mode, base, locale };
    await show(visit, request, response);
  };
}

export const cookieName = 'tillhook_session';

export function tokenOf(request: Request): string {
  const value: unknown = request.cookies[cookieName];
  return typeof value === 'string' ? value : '';
}

/** What a form's field holds. */
export function fieldOf({ body }: Request, field: string): string {
  const value = (body as Partial<Record<string, unknown>> | undefined)?.[field];
  // Postgres cannot be asked for a NUL.
  return typeof value === 'string' ? value.replaceAll('\0', '').slice(0, 256) : '';
}

export function sendPage(response: Response, status: number, page: Html): void {
  response.status(status).type('html').send(String(page));
}

/** Whoever is signed in may look at everything of the merchant. */
function principalOf({ merchant }: DashboardUser, mode: Mode): Principal {
  return { merchantId: merchant.id, mode, currency: merchant.currency, scopes: null, apiKeyId: null };
}
