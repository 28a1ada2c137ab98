/** The pages of the documentation load no font, script or telemetry from other origins. */
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Contract } from '@tillhook/openapi';
import { servedTexts } from '@tillhook/openapi/generate/served-document';
import { type NextFunction, type Request, type RequestHandler, type Response, Router } from 'express';
import helmet from 'helmet';
import type { Context } from '../../context.ts';
import { basePath } from '../../kit/base-path.ts';
import type { BuiltDocs, docsOf, Text } from './built-docs.ts';

/**
 * A browser that requests an unknown path gets a page. A program gets the error body of the contract, and so does every
 * request below `/api`.
 * See docs/decisions/look.md, "A person at a URL that does not exist gets a page".
 */
export function docsRoutes(contract: Contract, context: Pick<Context, 'config' | 'processors' | 'publicUrl'>): Router {
  const router = Router();
  router.use(['/openapi.yaml', '/openapi.json', '/openapi-3.0.json'], readableByAll);
  router.use(contractRoutes(contract, context.publicUrl));
  // The module that reads the documentation is loaded at the first request, so that the start does not wait for it.
  let opened: Promise<ReturnType<typeof docsOf>> | undefined;
  const docs = async () => {
    opened ??= import('./built-docs.ts').then((module) => module.docsOf(context));
    return (await opened)();
  };
  router.get(['/llms.txt', '/llms-full.txt'], (request, _response, next) => {
    request.url = `/docs${request.path}`;
    next();
  });
  router.use('/docs', docsPages(contract, basePath(context.publicUrl), docs));
  // `router.get` with a pattern would also answer OPTIONS requests, and would refuse paths that cannot be decoded.
  router.use(async (request, response, next) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const isApi = /^\/api(\/|$)/.test(request.path);
    const found = isRead && !isApi && isForPeople(request) ? await docs() : undefined;
    if (!found) return next();
    pageHeaders(request, response, (error) => {
      if (error) next(error);
      else sendText(request, response.status(404), found.missingPageElsewhere);
    });
  });
  return router;
}

function docsPages({ model }: Contract, base: string, docs: () => Promise<BuiltDocs | undefined>): Router {
  const pages = Router();
  const withDocs =
    (answer: (found: BuiltDocs, request: Request, response: Response, next: NextFunction) => unknown): RequestHandler =>
    async (request, response, next) => {
      const found = await docs();
      if (found) return answer(found, request, response, next);
      response.status(503).type('text').send('The documentation is not built: run npm run build.');
    };
  const sendAsset = withDocs(({ assetAt }, request, response, next) => {
    const text = assetAt(request.path);
    // Assets need no Content-Security-Policy, because the policy of the page covers the assets that it loads.
    if (text) sendText(request, response.set('X-Content-Type-Options', 'nosniff'), text);
    else next();
  });
  pages.use('/assets', Router().get('/{*path}', sendAsset));
  pages.use(pageHeaders);
  pages.get('/reference/:operation', operationHeaders(model.servers.slice(1).map(({ url }) => url)));
  pages.get(
    '/search',
    withDocs(async ({ searchPage }, request, response) => {
      sendText(request, response, await searchPage(searchQueryOf(request)));
    }),
  );
  pages.get(
    '/search.json',
    withDocs(async ({ search }, request, response) => response.json(await search(searchQueryOf(request), 10))),
  );
  for (const [path, present] of Object.entries(movedPages)) {
    pages.get([path, `${path}.md`], (request, response) => {
      const end = request.path.endsWith('.md') ? '.md' : '';
      response.redirect(301, `${base}/docs${present}${end}`);
    });
  }
  pages.get(
    '/{*path}',
    withDocs(({ textAt, missingPage }, request, response, next) => {
      const text = textAt(request.path.replace(/\/$/, ''));
      if (text) sendText(request, response, text);
      else if (isForPeople(request)) sendText(request, response.status(404), missingPage);
      else next();
    }),
  );
  return pages;
}

const movedPages: Readonly<Record<string, string>> = { '/benchmarks': '/benchmarks-and-chaos' };

/** Each OpenAPI document is created at its first request, because most processes never need the document. */
function contractRoutes(contract: Contract, publicUrl: string): Router {
  const texts = servedTexts(contract, publicUrl);
  const router = Router();
  const serve = (path: string, type: string, made: () => string) => {
    let served: Text | undefined;
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

interface Packed {
  version: string;
  gzipped: Buffer;
}

const packedTexts = new WeakMap<Text, Packed>();

/** A browser that already has this version of a text gets 304 and no body. */
function sendText(request: Request, response: Response, served: Text): void {
  const { type, text } = served;
  const { version, gzipped } = packedTexts.get(served) ?? pack(served);
  response.type(`${type}; charset=utf-8`).set({ 'Cache-Control': 'no-cache', ETag: version }).vary('Accept-Encoding');
  if (request.fresh) response.status(304).end();
  else if (request.acceptsEncodings('gzip')) response.set('Content-Encoding', 'gzip').send(gzipped);
  else response.send(text);
}

function pack(served: Text): Packed {
  const { text } = served;
  const version = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 16)}"`;
  const packed = { version, gzipped: gzipSync(text) };
  packedTexts.set(served, packed);
  return packed;
}

const strict = {
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'", 'data:'],
  connectSrc: ["'self'"],
  baseUri: ["'none'"],
  formAction: ["'self'"],
  frameAncestors: ["'none'"],
};

/** A page with these headers may load only files of this server, and no inline scripts and styles. */
const pageHeaders = headers(strict);

/** The policy lets a reader send requests from the page of an operation to every server that the contract lists. */
function operationHeaders(servers: readonly string[]): RequestHandler {
  return headers({ ...strict, connectSrc: ["'self'", ...new Set(servers.map((url) => new URL(url).origin))] });
}

function headers(directives: Record<string, string[]>): RequestHandler {
  return helmet({
    contentSecurityPolicy: { useDefaults: false, directives },
    strictTransportSecurity: { includeSubDomains: false },
  });
}

const isForPeople = (request: Request) => request.accepts('json', 'html') === 'html';

function searchQueryOf({ query }: Request): string {
  return typeof query.q === 'string' ? query.q.trim() : '';
}

/** Editors and code generators that run in a browser may read the OpenAPI documents from another origin. */
function readableByAll(_request: Request, response: Response, next: NextFunction): void {
  response.set({ 'Access-Control-Allow-Origin': '*', 'X-Content-Type-Options': 'nosniff' });
  next();
}
