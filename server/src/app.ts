import type { Contract } from '@tillhook/openapi';
import cookieParser from 'cookie-parser';
import express, { type Express } from 'express';
import { checkoutPageRoutes } from './checkout-page/checkout-page.routes.ts';
import type { Context } from './context.ts';
import { dashboardPageRoutes } from './dashboard-page/dashboard-page.routes.ts';
import { docsPortalRoutes } from './docs-portal/docs-portal.routes.ts';
import { contractMiddleware } from './http/contract.ts';
import { errorHandler } from './http/error-handler.ts';
import { jsonBody } from './http/json-body.ts';
import { probes, type Readiness } from './http/probes.ts';
import type { RateLimits } from './http/rate-limits.ts';
import { requestScope } from './http/request-scope.ts';
import { processorWebhookRoutes } from './processors/processor-webhooks.routes.ts';

export interface AppParts {
  context: Context;
  contract: Contract;
  readiness: Readiness;
  limits: RateLimits;
}

/** The whole of HTTP, in the order in which a request meets it. */
export function createApp({ context, contract, readiness, limits }: AppParts): Express {
  const app = express();
  app.disable('x-powered-by');
  // Only the storefront answers 304, by a version of its own; Express would for anything that did not change.
  app.disable('etag');
  app.set('trust proxy', context.config.trustProxy);
  app.use(requestScope(context));
  app.use(probes(readiness));
  app.use(checkoutPageRoutes({ limits }));
  app.use(processorWebhookRoutes());
  app.use(cookieParser());
  app.use(dashboardPageRoutes({ limits }));
  app.use(docsPortalRoutes({ contract, publicUrl: context.publicUrl }));
  app.use(jsonBody);
  app.use(contractMiddleware(contract, { validateResponses: !context.config.isProduction, limits }));
  app.use(errorHandler(contract.document));
  return app;
}

/** What a worker without the API answers: only whether it lives and is ready. */
export function createProbeApp({
  context,
  contract,
  readiness,
}: Pick<AppParts, 'context' | 'contract' | 'readiness'>): Express {
  const app = express();
  app.disable('x-powered-by');
  app.use(requestScope(context));
  app.use(probes(readiness));
  app.use((_request, _response, next) => next({ status: 404 }));
  app.use(errorHandler(contract.document));
  return app;
}
