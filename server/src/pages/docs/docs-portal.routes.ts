/**
 * Serves the documentation, which is made from the contract, and the contract. Pages load everything from this
 * origin, and no font, script or telemetry from another one.
 */
import type { Contract } from '@tillhook/openapi';
import { servedTexts } from '@tillhook/openapi/generate/served-document';
import { type NextFunction, type Request, type Response, Router } from 'express';
import type { Context } from '../../context.ts';
import { basePath } from '../../kit/base-path.ts';
import { assetTexts } from './asset-texts.ts';
import { missingPage } from './missing.page.ts';
import { operationHeaders, pageHeaders } from './page-headers.ts';
import type { Portal, PortalText } from './portal.ts';
import { sendText } from './send-text.ts';

/** Serves everything below `/docs`, `/llms.txt`, and the contract for programs that use the API. */
export function docsPortalRoutes({ contract, publicUrl }: { contract: Contract; publicUrl: string }): Router {
  const { model } = contract;
  const router = Router();
  router.use(['/openapi.yaml', '/openapi.json', '/openapi-3.0.json'], readableByAll);
  router.use(contractRoutes(contract, publicUrl));

  // Loaded and created on the first request, so that it does not delay the start. After that it never changes. When that
  // fails, the next request tries again.
  let created: Promise<Portal> | undefined;
  const portal = ({ context }: Request) => {
    created ??= loadPortal(contract, context, publicUrl).catch((error) => {
      created = undefined;
      throw error;
    });
    return created;
  };
  const pages = Router();
  pages.use('/assets', assets());
  pages.use(pageHeaders());
  pages.get('/reference/:operation', operationHeaders(model.servers.slice(1).map(({ url }) => url)));
  pages.get('/search', async (request, response) => {
    const { searchPage } = await portal(request);
    sendText(request, response, await searchPage(searchQueryOf(request)));
  });
  pages.get('/search.json', async (request, response) => {
    const { search } = await portal(request);
    response.json(await search(searchQueryOf(request), 10));
  });
  for (const [path, present] of Object.entries(movedPages)) {
    pages.get([path, `${path}.md`], (request, response) => {
      const end = request.path.endsWith('.md') ? '.md' : '';
      response.redirect(301, `${basePath(publicUrl)}/docs${present}${end}`);
    });
  }
  pages.get('/{*path}', async (request, response, next) => {
    const { textAt, missingPage } = await portal(request);
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

/** Paths that pages had before, each with the present one. */
const movedPages: Readonly<Record<string, string>> = { '/benchmarks': '/benchmarks-and-chaos' };

async function loadPortal(contract: Contract, context: Context, publicUrl: string): Promise<Portal> {
  const [{ createPortal }, { portalSource }] = await Promise.all([import('./portal.ts'), import('./portal-source.ts')]);
  return createPortal(portalSource(contract, context), basePath(publicUrl));
}

/**
 * Answers a browser at an address that does not exist with a page. Programs get the error of the contract, and so does
 * everybody below `/api`.
 * See docs/decisions/look.md, "A person at an address that does not exist gets a page".
 */
export function missingPageRoutes({ contract, publicUrl }: { contract: Contract; publicUrl: string }): Router {
  const base = basePath(publicUrl);
  const router = Router();
  let made: PortalText | undefined;
  // Not `get` with a pattern: that would answer OPTIONS too, and would refuse paths that cannot be decoded.
  router.use((request, response, next) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const isApi = /^\/api(\/|$)/.test(request.path);
    if (!isRead || isApi || request.accepts('json', 'html') !== 'html') return next();
    pageHeaders()(request, response, (error) => {
      if (error) return next(error);
      made ??= { type: 'html', text: String(missingPage({ name: contract.model.title, base })) };
      sendText(request, response.status(404), made);
    });
  });
  return router;
}

/** Each text is made at its first request, which saves memory in most processes. */
function contractRoutes(contract: Contract, publicUrl: string): Router {
  const texts = servedTexts(contract, publicUrl);
  const router = Router();
  const serve = (path: string, type: PortalText['type'], made: () => string) => {
    let served: PortalText | undefined;
    router.get(path, (request, response) => {
      served ??= { type, text: made() };
      sendText(request, response, served);
    });
  };
  serve('/openapi.yaml', 'application/yaml', texts.yaml);
  serve('/openapi.json', 'application/json', texts.json);
  serve('/openapi-3.0.json', 'application/json', texts.json30);
  return router;
}

function assets(): Router {
  const router = Router();
  let texts: Map<string, PortalText> | undefined;
  return router.get('/{*path}', (request, response, next) => {
    texts ??= assetTexts();
    const found = texts.get(request.path);
    // The policy of a page holds for what it loads, so these few bytes need none.
    if (found) sendText(request, response.set('X-Content-Type-Options', 'nosniff'), found);
    else next();
  });
}

function searchQueryOf({ query }: Request): string {
  return typeof query.q === 'string' ? query.q.trim() : '';
}

/** Allows pages of other origins to read the contract: editors and code generators may run in a browser. */
function readableByAll(_request: Request, response: Response, next: NextFunction): void {
  response.set({ 'Access-Control-Allow-Origin': '*', 'X-Content-Type-Options': 'nosniff' });
  next();
}
