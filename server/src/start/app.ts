import { parse } from 'node:querystring';
import type { Contract } from '@tillhook/openapi';
import { maxParameters } from '@tillhook/openapi/rules/shorten';
import cookieParser from 'cookie-parser';
import express, { type Express, type Request, type RequestHandler, Router } from 'express';
import { jsonBody, keepConnectionsClean, normaliseContentType } from '../api/bodies.ts';
import { callerAddress } from '../api/caller-address.ts';
import { contractMiddleware } from '../api/contract.ts';
import { crossOriginCalls } from '../api/cross-origin.ts';
import { errorHandler } from '../api/error-handler.ts';
import { createKnownCredentials } from '../api/known-credentials.ts';
import { probes, type Readiness } from '../api/probes.ts';
import { createRefusedCalls } from '../api/refused-calls.ts';
import { requestScope } from '../api/request-scope.ts';
import type { Context } from '../context.ts';
import { isLoopbackName } from '../kit/loopback.ts';
import { processorWebhookRoutes } from '../money/processor-events/processor-webhooks.routes.ts';
import type { RateLimits } from '../operation/rate-limits.ts';
import { checkoutRoutes } from '../pages/checkout/checkout.routes.ts';
import { linkRoutes } from '../pages/checkout/link.routes.ts';
import { companySignInRoutes } from '../pages/dashboard/company-sign-in.routes.ts';
import { dashboardRoutes } from '../pages/dashboard/dashboard.routes.ts';
import { docsRoutes } from '../pages/docs/docs.routes.ts';
import { homeRoutes } from '../pages/home/home.routes.ts';
import { mailsRoutes } from '../pages/mails/mails.routes.ts';
import { receiptPreviewRoutes } from '../pages/mails/receipt-preview.routes.ts';
import { unsubscribeRoutes } from '../pages/mails/unsubscribe.routes.ts';
import { isFromHere, metricsRoute } from '../telemetry/metrics/metrics.routes.ts';
import { mailRenderers } from './mail-kinds.ts';
import { operations } from './operations.ts';

export interface AppDependencies {
  context: Context;
  contract: Contract;
  readiness: Readiness;
  limits: RateLimits;
}

export function createApp({ context, contract, readiness, limits }: AppDependencies): Express {
  const app = express();
  app.disable('x-powered-by');
  // Code that answers 304 computes its ETag itself; Express would compute an ETag for every response.
  app.disable('etag');
  // Brackets in the name of a query parameter make neither a list nor an object.
  app.set('query parser', (query: string | null) => parse(query ?? '', '&', '=', { maxKeys: maxParameters }));
  app.set('trust proxy', context.config.trustProxy);
  app.use(keepConnectionsClean);
  app.use(callerAddress(context));
  app.use(normaliseContentType);
  app.use(requestScope(context));
  app.use(probes(readiness));
  app.use(localMetrics(context));
  const { config, publicUrl } = context;
  const name = contract.model.title;
  const keepsMails = config.mail?.url === null;
  app.use(
    outsideApi([
      homeRoutes({ name, publicUrl, limits, hasMailbox: (request) => keepsMails && mayReadMails(request) }),
      unsubscribeRoutes({ name, publicUrl }),
      receiptPreviewRoutes(),
      ...(keepsMails ? [mailsRoutes({ name, publicUrl, mayReadMails, renderers: mailRenderers })] : []),
      checkoutRoutes({ limits }),
      linkRoutes({ limits }),
      processorWebhookRoutes(),
    ]),
  );
  app.use(cookieParser());
  const { company } = config.signIn;
  app.use(
    outsideApi([
      ...(company ? [companySignInRoutes(company, context, limits)] : []),
      dashboardRoutes(context),
      docsRoutes(contract, context),
    ]),
  );
  app.use('/api', crossOriginCalls(contract.model, context.config.corsOrigins));
  const known = createKnownCredentials();
  const refused = createRefusedCalls(contract.model, { limits, known });
  app.use('/api', refused.refuseUsedUp);
  app.use(jsonBody(contract.model));
  app.use(contractMiddleware(contract, { operations, answerCheck: context.config.answerCheck, limits, known }));
  app.use(errorHandler(contract.model, refused));
  return app;
}

/** The name in the URL is checked because another site can give its own name the address 127.0.0.1. */
function mayReadMails(request: Request): boolean {
  return isFromHere(request) && isLoopbackName(request.hostname ?? '');
}

/** Spares each call of the API the comparison of its path with the path of every page. */
function outsideApi(routes: Router[]): RequestHandler {
  const router = Router().use(routes);
  return (request, response, next) => (request.path.startsWith('/api/') ? next() : router(request, response, next));
}

type BareAppDependencies = Pick<AppDependencies, 'context' | 'contract'>;

export function createProbeApp({
  readiness,
  ...dependencies
}: BareAppDependencies & Pick<AppDependencies, 'readiness'>): Express {
  return createBareApp(dependencies, [probes(readiness), localMetrics(dependencies.context)]);
}

/** Every caller who can reach `METRICS_PORT` may read the metrics. */
export function createMetricsApp(dependencies: BareAppDependencies): Express {
  return createBareApp(dependencies, [metricsRoute(dependencies.context.metrics, () => true)]);
}

/** Without `METRICS_PORT`, only this machine may read the metrics. */
function localMetrics({ metrics, config }: Context): RequestHandler {
  return metricsRoute(metrics, (request) => config.metricsPort === undefined && isFromHere(request));
}

function createBareApp({ context, contract }: BareAppDependencies, routes: RequestHandler[]): Express {
  const app = express();
  app.disable('x-powered-by');
  app.use(keepConnectionsClean);
  app.use(requestScope(context));
  app.use(routes);
  app.use((_request, _response, next) => next({ status: 404 }));
  app.use(errorHandler(contract.model));
  return app;
}
