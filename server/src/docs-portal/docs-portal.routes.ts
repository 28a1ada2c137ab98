/**
 * The documentation, made from the contract, and the contract itself. Everything comes from this origin: no font, script or
 * measurement of anybody else.
 */
import type { Contract } from '@tillhook/openapi';
import { type NextFunction, type Request, type Response, Router } from 'express';
import { basePath } from '../kit/base-path.ts';
import { assetTexts } from './asset-texts.ts';
import { pageHeaders, referenceHeaders } from './page-headers.ts';
import { createPortal, type Portal, type PortalText } from './portal.ts';
import { portalSource } from './portal-source.ts';
import { scalarScript } from './scalar-script.ts';
import { mostCharacters } from './search-index.ts';
import { sendText } from './send-text.ts';

/** What the server serves for readers: everything below `/docs`, `/llms.txt`, `/openapi.yaml` and `/openapi.json`. */
export function docsPortalRoutes({ contract, publicUrl }: { contract: Contract; publicUrl: string }): Router {
  const { text, document, model } = contract;
  const router = Router();
  router.use(['/openapi.yaml', '/openapi.json'], readableByAll);
  router.get('/openapi.yaml', (_request, response) => {
    response.type('application/yaml').send(text);
  });
  router.get('/openapi.json', (_request, response) => {
    response.json(document);
  });

  // Made for its first reader, so that no start waits for it; from then on it never changes.
  let made: Portal | undefined;
  const portal = ({ context }: Request) => {
    made ??= createPortal(portalSource(contract, context), basePath(publicUrl));
    return made;
  };
  const pages = Router();
  pages.use(pageHeaders());
  pages.get('/reference', referenceHeaders([publicUrl, ...model.servers.map(({ url }) => url)]));
  pages.use('/assets', assets());
  pages.get('/search', (request, response) => {
    sendText(request, response, portal(request).searchPage(askedIn(request)));
  });
  pages.get('/search.json', (request, response) => {
    response.json(portal(request).search(askedIn(request), 10));
  });
  pages.get('/{*path}', (request, response, next) => {
    const { textAt, missingPage } = portal(request);
    const found = textAt(request.path.replace(/\/$/, ''));
    if (found) sendText(request, response, found);
    else if (request.accepts('json', 'html') === 'html') sendText(request, response.status(404), missingPage());
    else next();
  });
  router.get('/llms.txt', (request, _response, next) => {
    request.url = '/docs/llms.txt';
    next();
  });
  return router.use('/docs', pages);
}

function assets(): Router {
  const router = Router();
  let texts: Map<string, PortalText> | undefined;
  router.get('/scalar.js', scalarScript());
  return router.get('/{*path}', (request, response, next) => {
    texts ??= assetTexts();
    const found = texts.get(request.path);
    if (found) sendText(request, response, found);
    else next();
  });
}

function askedIn({ query }: Request): string {
  return typeof query.q === 'string' ? query.q.trim().slice(0, mostCharacters) : '';
}

/** Editors and generators that run in a browser read the contract from other origins. */
function readableByAll(_request: Request, response: Response, next: NextFunction): void {
  response.set({ 'Access-Control-Allow-Origin': '*', 'X-Content-Type-Options': 'nosniff' });
  next();
}
