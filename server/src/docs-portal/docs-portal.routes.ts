/**
 * The documentation, made from the contract: the reference, the errors, and the contract itself; and what the benchmarks found.
 * Everything comes from this origin: no font, script or measurement of anybody else.
 */
import type { Contract } from '@tillhook/openapi';
import express, { type NextFunction, type Request, type Response, Router } from 'express';
import helmet from 'helmet';
import { basePath } from '../kit/base-path.ts';
import type { Html } from '../kit/html.ts';
import { benchmarksPage } from './benchmarks.page.ts';
import { errorsPage } from './errors.page.ts';
import { readPublished } from './figures.ts';
import { referencePage } from './reference.page.ts';
import { scalarScript } from './scalar-script.ts';

/** What the server serves for readers: `/docs`, `/docs/errors`, `/docs/benchmarks`, `/openapi.yaml` and `/openapi.json`. */
export function docsPortalRoutes({ contract, publicUrl }: { contract: Contract; publicUrl: string }): Router {
  const { text, document } = contract;
  const servers: string[] = document.servers.map(({ url }: { url: string }) => url);
  const base = basePath(publicUrl);
  const router = Router();
  router.use(['/openapi.yaml', '/openapi.json'], readableByAll);
  router.get('/openapi.yaml', (_request, response) => {
    response.type('application/yaml').send(text);
  });
  router.get('/openapi.json', (_request, response) => {
    response.json(document);
  });

  const pages = Router();
  pages.use(pageHeaders([publicUrl, ...servers]));
  pages.get('/assets/scalar.js', scalarScript());
  pages.use('/assets', express.static(`${import.meta.dirname}/assets`, { index: false, redirect: false }));
  page(pages, '/', referencePage(document, base));
  page(pages, '/errors', errorsPage(document, base));
  page(pages, '/benchmarks', benchmarksPage(readPublished(), base));
  return router.use('/docs', pages);
}

/** Editors and generators that run in a browser read the contract from other origins. */
function readableByAll(_request: Request, response: Response, next: NextFunction): void {
  response.set({ 'Access-Control-Allow-Origin': '*', 'X-Content-Type-Options': 'nosniff' });
  next();
}

/** The pages of one version never change, so each is rendered once. */
function page(router: Router, path: string, markup: Html): void {
  const text = String(markup);
  router.get(path, (_request, response) => {
    response.type('html').send(text);
  });
}

/** The reference styles itself as it runs, and asks the servers of the contract when a reader tries an operation. */
function pageHeaders(servers: string[]) {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'", 'data:'],
        connectSrc: ["'self'", ...new Set(servers.map((url) => new URL(url).origin))],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: { includeSubDomains: false },
  });
}
