/**
 * One webhook endpoint, and its signing secret, which no API key is shown after the registration. Whoever wants to see it gives
 * the password once more, because a computer left alone is signed in too.
 */
import type { RequestHandler } from 'express';
import { noteOwnAct } from '../audit/audit.service.ts';
import { requireRole } from '../auth/auth.service.ts';
import { requireOwnCode } from '../auth/codes.service.ts';
import { getDashboardUser } from '../auth/dashboard-users.service.ts';
import { inTransaction } from '../database/transaction.ts';
import { callerKey, rightGuess } from '../http/guesses.ts';
import type { RateLimits } from '../http/rate-limits.ts';
import { notFound } from '../kit/errors.ts';
import { isId } from '../kit/ids.ts';
import type { WebhookEndpoint } from '../webhooks/endpoint.entity.ts';
import { getWebhookEndpoint, revealWebhookSecret } from '../webhooks/webhooks.service.ts';
import { endpointPage } from './endpoint.page.ts';
import { fieldOf, forVisitors, sendPage, type Visit } from './visit.ts';

export const showEndpoint: RequestHandler = forVisitors(async (visit, { params }, response) => {
  const endpoint = await endpointOf(visit, params.id);
  sendPage(response, 200, endpointPage({ ...visit, endpoint }));
});

export function revealSecret(limits: RateLimits): RequestHandler {
  return forVisitors(async (visit, request, response) => {
    const { context, user } = visit;
    requireRole(context.principal, ['merchant']);
    const endpoint = await endpointOf(visit, request.params.id);
    const typed = { email: user.email, password: fieldOf(request, 'password') };
    const places = [{ policy: 'password', key: callerKey(context.principal) }] as const;
    const isRight = await rightGuess({ limits, places }, () => getDashboardUser(context, typed));
    if (!isRight) return sendPage(response, 422, endpointPage({ ...visit, endpoint, isRefused: true }));
    const secrets = await inTransaction(context, async (writing) => {
      // This page has no field for a code, so it refuses whoever would have to give one.
      await requireOwnCode(writing, undefined);
      noteOwnAct(writing, { action: 'revealWebhookSecret', subject: endpoint.id });
      return revealWebhookSecret(writing, endpoint.id);
    });
    sendPage(response, 200, endpointPage({ ...visit, endpoint, secrets }));
  });
}

async function endpointOf({ context }: Visit, id: unknown): Promise<WebhookEndpoint> {
  if (typeof id !== 'string' || !isId(id)) throw notFound();
  return getWebhookEndpoint(context, id);
}
