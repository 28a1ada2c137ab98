/** Who looks at a page of the dashboard. */
import type { Request, RequestHandler, Response } from 'express';
import { identifyUser, requireTwoStepSetUp } from '../auth/auth.service.ts';
import type { DashboardUser } from '../auth/dashboard-user.entity.ts';
import { visitSession } from '../auth/session-visit.ts';
import type { Called, Context } from '../context.ts';
import { sessionTokenOf } from '../http/session-cookie.ts';
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
    const session = await visitSession(context, sessionTokenOf(request));
    if (!session) return response.redirect(303, `${base}/dashboard/sign-in`);
    const { user } = session;
    const mode: Mode = request.query.mode === 'live' ? 'live' : 'test';
    const locale = pickLocale(request.acceptsLanguages());
    const principal = await identifyUser(context, session, { mode });
    requireTwoStepSetUp(principal);
    const visit = { context: { ...context, principal }, user, mode, base, locale };
    await show(visit, request, response);
  };
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
