/**
 * Browsers get a page. Programs that accept any text, such as curl, get the URLs of the service as plain text. Programs
 * that ask for JSON get the error for an unknown path. The page's button creates a checkout without an API key, so
 * requests from other sites are refused, and the number of checkouts is limited for each network.
 * See docs/decisions/look.md, "The URL of the service itself is a page".
 */
import express, { type NextFunction, type Request, type Response, Router } from 'express';
import { notStored, pageHeaders, refuseCrossSite } from '../../api/page-headers.ts';
import { basePath } from '../../kit/base-path.ts';
import type { Html } from '../../kit/html.ts';
import { lookFolder } from '../../kit/look.ts';
import { networkOf } from '../../kit/network-of.ts';
import { setRetryAfter, statusOf } from '../../operation/failure-status.ts';
import type { RateLimits } from '../../operation/rate-limits.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { findDemoMerchant, startDemoCheckout } from './demo-merchant.service.ts';
import { homePage, refusedPage } from './home.page.ts';

const robotsOf = (publicUrl: string) => `User-agent: *
Disallow: /api/
Disallow: /checkout/
Disallow: /pay/
Disallow: /dashboard

# The documentation for language models: a list of its pages, and the text of all pages.
# ${publicUrl}/llms.txt
# ${publicUrl}/llms-full.txt
`;

const addressesOf = (name: string, publicUrl: string) =>
  `${name}\n\nAPI            ${publicUrl}/api/v1\nDocumentation  ${publicUrl}/docs\nDashboard      ${publicUrl}/dashboard\n`;

interface HomeOptions {
  name: string;
  publicUrl: string;
  limits: RateLimits;
  hasMailbox: (request: Request) => boolean;
}

export function homeRoutes({ name, publicUrl, limits, hasMailbox }: HomeOptions): Router {
  const place = { name, base: basePath(publicUrl) };
  const router = Router();
  router.use('/home/assets', express.static(`${import.meta.dirname}/assets`, { index: false, redirect: false }));
  router.get('/favicon.ico', (_request, response) => response.sendFile('mark.svg', { root: lookFolder }));
  router.get('/robots.txt', (_request, response) => response.type('text').send(robotsOf(publicUrl)));
  router.get('/', (request, response, next) => {
    response.vary('Accept');
    if (isForPeople(request) || request.accepts('text', 'json') !== 'text') return next();
    response.set('Cache-Control', 'no-store').type('text').send(addressesOf(name, publicUrl));
  });
  router.get('/', onlyForPeople, pageHeaders, notStored, async (request, response) => {
    const isDemo = (await findDemoMerchant(request.context)) !== null;
    sendPage(
      response,
      200,
      homePage(place, { publicUrl, isDemo, hasMailbox: hasMailbox(request), paidReference: paidIn(request) }),
    );
  });
  router.post('/test-checkout', pageHeaders, notStored, refuseCrossSite, async ({ context, ip }, response) => {
    await limits.count('test_checkout', networkOf(ip));
    const { accessCode } = await inTransaction(context, startDemoCheckout);
    response.redirect(303, `${place.base}/checkout/${accessCode}`);
  });
  router.use((error: unknown, request: Request, response: Response, next: NextFunction) => {
    const status = statusOf(error);
    if (response.headersSent || !isForPeople(request)) return next(error);
    if (status >= 500) request.context.log.error({ err: error }, 'Failed to show the home page');
    setRetryAfter(response, error);
    sendPage(response, status, refusedPage(place, status));
  });
  return router;
}

/** The checkout adds the reference and the status to the URL to which the customer returns. */
function paidIn({ query: { reference, status } }: Request): string | undefined {
  return status === 'completed' && typeof reference === 'string' && reference !== '' ? reference : undefined;
}

function onlyForPeople(request: Request, response: Response, next: NextFunction): void {
  response.vary('Accept');
  next(isForPeople(request) ? undefined : 'router');
}

const isForPeople = (request: Request) => request.accepts('json', 'html') === 'html';

function sendPage(response: Response, status: number, page: Html): void {
  response.status(status).type('html').send(String(page));
}
