/**
 * A test fails if its page requests anything from another origin, throws an error, or violates its own
 * Content-Security-Policy.
 */
import { createRequire } from 'node:module';
import test, { type ExecutionContext } from 'ava';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { findSharedBrowser } from '../shared-fixtures.ts';

/** An import would first parse the four megabytes of Playwright for export names, which takes longer than `require`. */
const { chromium }: typeof import('playwright-core') = createRequire(import.meta.url)('playwright-core');

interface PageOptions
  extends Pick<
    BrowserContextOptions,
    'javaScriptEnabled' | 'locale' | 'viewport' | 'colorScheme' | 'bypassCSP' | 'permissions'
  > {
  /** Another origin that the page may call. */
  mayCall?: string;
  /** Set for a page that no other test may use. */
  isNew?: true;
}

export type OpenPage = (t: ExecutionContext, options?: PageOptions) => Promise<Page>;

/**
 * Tests of pages run serially, because the pages of a browser share the processors: all at once they would be no
 * faster, and the last page might time out. After a test, its page is emptied and kept for the next test, which then
 * needs only two fifths of the processor time. A test that sets a clock or adds scripts sets `isNew`, because nothing
 * can remove these from a page.
 */
export function browserForFile(): OpenPage {
  let browser: Promise<Browser> | undefined;
  const kept = new Map<string, OpenedPage>();
  test.after.always(async () => (await browser)?.close());
  const open = async (options: PageOptions): Promise<OpenedPage> => {
    browser ??= findSharedBrowser().then((address) => chromium.connect(address));
    return openContext(await browser, options);
  };
  return async (t, options = {}) => {
    const kind = JSON.stringify(options);
    const opened = kept.get(kind) ?? (await open(options));
    // The second page of a test belongs to another person and needs its own context.
    kept.delete(kind);
    // Errors that the page reported after the previous test do not belong to this test.
    opened.complaints.length = 0;
    t.teardown(async () => {
      const complaints = opened.complaints.splice(0);
      if (!options.isNew && !kept.has(kind) && (await empty(opened.page, options).catch(() => false)))
        kept.set(kind, opened);
      else await opened.page.context().close();
      if (complaints.length > 0) throw new Error(complaints.join('\n'));
    });
    return opened.page;
  };
}

interface OpenedPage {
  page: Page;
  complaints: string[];
}

async function openContext(browser: Browser, { mayCall, isNew: _, ...options }: PageOptions): Promise<OpenedPage> {
  const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'UTC', ...options });
  context.setDefaultTimeout(patienceMs);
  const complaints: string[] = [];
  const addsScripts = options.bypassCSP === true;
  context.on('page', (page) => watch(page, { complaints, mayCall, addsScripts }));
  return { page: await context.newPage(), complaints };
}

/** Returns false if the test closed the page or loaded nothing in it. Throws while the page redirects. */
async function empty(page: Page, { viewport = usualViewport, colorScheme = null }: PageOptions): Promise<boolean> {
  const context = page.context();
  if (page.isClosed() || page.url() === 'about:blank') return false;
  for (const other of context.pages()) if (other !== page) await other.close();
  await Promise.all([page, context].map((one) => one.unrouteAll({ behavior: 'ignoreErrors' })));
  await page.setExtraHTTPHeaders({});
  await context.clearCookies();
  await page.evaluate('localStorage.clear(); sessionStorage.clear()');
  if (viewport) await page.setViewportSize(viewport);
  await page.emulateMedia({ media: null, colorScheme, reducedMotion: null });
  // An empty page is loaded, because scripts of the old page would otherwise run on during the next test.
  await page.goto('about:blank');
  return true;
}

const usualViewport = { width: 1280, height: 720 };

/** The timeout of `eventually` is long, so that no test fails because the machine is busy. */
const patienceMs = 60_000;

interface Watched {
  complaints: string[];
  mayCall: string | undefined;
  addsScripts: boolean;
}

function watch(page: Page, { complaints, mayCall, addsScripts }: Watched): void {
  page.on('request', (request) => {
    // A navigation may lead to any origin. Only the resources of a page are checked.
    if (request.isNavigationRequest() || request.url().startsWith('data:')) return;
    const { origin } = new URL(request.frame().url());
    const requestOrigin = new URL(request.url()).origin;
    if (requestOrigin !== origin && requestOrigin !== mayCall)
      complaints.push(`${page.url()} asked for ${request.url()}`);
  });
  page.on('pageerror', (error) => complaints.push(`${page.url()} threw ${error.stack ?? error.message}`));
  page.on('console', (message) => {
    // Chromium also logs an error when the page or an API call gets 404 or 422, so such errors are ignored.
    const { url } = message.location();
    const isAsked = url === page.url() || (URL.canParse(url) && new URL(url).pathname.includes('/api/v1/'));
    const isAnswer = message.text().startsWith('Failed to load resource') && isAsked;
    // A test that sets a clock adds its script to each frame, and a frame with a mail refuses all scripts.
    const isOwnScript = addsScripts && message.text().startsWith('Blocked script execution');
    if (message.type() === 'error' && !isAnswer && !isOwnScript)
      complaints.push(`${page.url()} printed ${message.text()}`);
  });
}
