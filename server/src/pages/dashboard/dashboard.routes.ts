/** Every path below `/dashboard` gets the same page, because the single-page application decides what to show. */
import { randomBytes } from 'node:crypto';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import helmet from 'helmet';
import { notStored } from '../../api/page-headers.ts';
import type { Context } from '../../context.ts';
import { basePath } from '../../kit/base-path.ts';
import { escapeHtml } from '../../kit/html.ts';
import { canUsePasskeys } from '../../kit/passkey-url.ts';
import { type BuiltDashboard, type Encoding, isBuilt, readBuiltDashboard } from './built-files.ts';

export type DashboardContext = Pick<Context, 'publicUrl' | 'config'>;

export function dashboardRoutes(context: DashboardContext): Router {
  const router = Router();
  if (isBuilt()) serveBuilt(router, context);
  else router.use(sayNotBuilt);
  return Router().use('/dashboard', router);
}

function serveBuilt(router: Router, context: DashboardContext): void {
  const { publicUrl } = context;
  const built = readBuiltDashboard();
  const ways = signInWaysOf(context);
  const pages = new Map(
    [...built.pages].map(([language, page]) => [language, withSignInWays(pageBelow(page, basePath(publicUrl)), ways)]),
  );
  router.get('/assets/:name', sendAsset(built));
  router.use('/assets', (_request, _response, next) => next({ status: 404 }));
  router.get('/{*path}', notStored, (request, response, next) => {
    const nonce = randomBytes(16).toString('base64');
    headersWith(nonce)(request, response, (error) => {
      if (error) next(error);
      else response.type('html').send(withNonce(pages.get(languageOf(request, [...pages.keys()])) ?? '', nonce));
    });
  });
  router.use((_request, _response, next) => next({ status: 404 }));
}

/**
 * The language that the user has chosen, which the dashboard keeps in a cookie, or else that of the browser. English is
 * for all others.
 * See docs/decisions/dashboard.md, "Each language of the dashboard is a build".
 */
function languageOf(request: Pick<Request, 'cookies' | 'acceptsLanguages'>, built: string[]): string {
  const chosen = request.cookies?.[languageCookie];
  if (typeof chosen === 'string') return built.find((language) => language === chosen.split('-')[0]) ?? 'en';
  return request.acceptsLanguages(built) || 'en';
}

/** `src/app/page-language.ts` of the dashboard writes it. */
const languageCookie = 'tillhook_language';

/** Choice: if the dashboard was not built, the service still starts and accepts payments. */
function sayNotBuilt(_request: Request, response: Response): void {
  response.status(503).type('text').send('The dashboard is not built: run npm run build, and start the service again.');
}

function sendAsset({ assets }: BuiltDashboard): RequestHandler<{ name: string }> {
  return (request, response, next) => {
    const asset = assets.get(request.params.name);
    if (!asset) return next({ status: 404 });
    const { type, packed } = asset;
    const encoding = encodingFor(request, packed);
    response
      .set({
        'Cache-Control': 'public, max-age=31536000, immutable',
        'Content-Type': type,
        'X-Content-Type-Options': 'nosniff',
        'Cross-Origin-Resource-Policy': 'same-origin',
      })
      .vary('Accept-Encoding');
    if (encoding !== 'identity') response.set('Content-Encoding', encoding);
    send(response, packed[encoding] ?? packed.identity);
  };
}

/** Returns the smallest accepted encoding, in whatever order the `Accept-Encoding` header lists the encodings. */
function encodingFor(request: Pick<Request, 'acceptsEncodings'>, packed: object): Encoding {
  const smallestFirst = ['br', 'gzip'] as const;
  return smallestFirst.find((name) => name in packed && request.acceptsEncodings(name)) ?? 'identity';
}

/** `response.send` is not used, because it would compute an ETag from the whole content. */
function send(response: Response, bytes: Buffer): void {
  response.set('Content-Length', String(bytes.length)).end(bytes);
}

/** Images may come from any server over https. */
function headersWith(nonce: string) {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", `'nonce-${nonce}'`],
        connectSrc: ["'self'"],
        imgSrc: ["'self'", 'data:', 'https:'],
        frameSrc: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        baseUri: ["'none'"],
      },
    },
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: 'deny' },
    strictTransportSecurity: { includeSubDomains: false },
  });
}

/** What this service offers to a user who wants to sign in. The page needs it before anyone has signed in. */
export interface SignInWays {
  password: boolean;
  passkey: boolean;
  /** The company's own sign-in, by OpenID Connect. */
  company: { name: string } | null;
  /** Whether a user can get a link for a new password. Without it, the page names the people who can help. */
  resetByMail: boolean;
  /** Whether this demo shows its mails at `/mails` and sends none. */
  mailbox: boolean;
}

function signInWaysOf({ publicUrl, config: { mail, signIn } }: DashboardContext): SignInWays {
  const { hasPasswords, company } = signIn;
  return {
    password: hasPasswords,
    passkey: canUsePasskeys(publicUrl),
    company: company && { name: company.name },
    resetByMail: mail !== null,
    mailbox: mail?.url === null,
  };
}

/** `src/app/sign-in-ways.ts` of the dashboard reads this element. */
export function withSignInWays(page: string, ways: SignInWays): string {
  const content = escapeHtml(JSON.stringify(ways));
  return page.replace(
    '<meta name="tillhook-sign-in" content="">',
    () => `<meta name="tillhook-sign-in" content="${content}">`,
  );
}

/** The placeholder for the nonce. It must be the value of `html.cspNonce` in `server/dashboard/vite.config.ts`. */
const nonceMark = 'NONCE_OF_THIS_ANSWER';

/** The paths of the page's assets become absolute, because the page is served at every path. */
export function pageBelow(built: string, base: string): string {
  return built
    .replaceAll('"./assets/', `"${base}/dashboard/assets/`)
    .replace('<meta name="tillhook-base" content="">', `<meta name="tillhook-base" content="${base}">`)
    .replace('href="/docs"', `href="${base}/docs"`);
}

export function withNonce(page: string, nonce: string): string {
  return page.replaceAll(nonceMark, nonce);
}
