/**
 * A real Chromium for the tests of pages. Every page that a test opens is held to three promises besides the test's
 * own: it asks no other origin for anything, its scripts throw nothing, and nothing on it breaks its own content
 * security policy.
 */
import { createRequire } from 'node:module';
import test, { type ExecutionContext } from 'ava';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { findSharedBrowser } from '../shared-fixtures.ts';

/** Not imported: to find the names that its one file of four megabytes exports takes longer than to load it. */
const { chromium }: typeof import('playwright-core') = createRequire(import.meta.url)('playwright-core');

interface PageOptions
  extends Pick<BrowserContextOptions, 'javaScriptEnabled' | 'locale' | 'viewport' | 'colorScheme' | 'bypassCSP'> {
  /** Another origin that the page may call, because the test lets its reader choose it. */
  mayCall?: string;
  /** A page that no other test had or gets. */
  isNew?: true;
}

/** Opens an empty page in a new browser context, which ends with the test. */
export type OpenPage = (t: ExecutionContext, options?: PageOptions) => Promise<Page>;

/**
 * The one browser of a run, which the file connects to for its first page. Tests of pages run one after another
 * (`test.serial`): the pages of a browser share its processors, so opening them all at once is no faster and starves
 * the last.
 *
 * A page stays for the next test that asks for the same options, emptied: its process runs already and has its scripts
 * compiled, so a load takes two fifths of the processor time. A test whose page nothing can empty, because it installs a
 * clock or adds scripts to it, asks for one with `isNew`.
 */
export function browserForFile(): OpenPage {
  let browser: Promise<Browser> | undefined;
  /** The pages that wait for the next test, by their options. */
  const kept = new Map<string, OpenedPage>();
  test.after.always(async () => (await browser)?.close());
  const open = async (options: PageOptions): Promise<OpenedPage> => {
    browser ??= findSharedBrowser().then((address) => chromium.connect(address));
    return openContext(await browser, options);
  };
  return async (t, options = {}) => {
    const kind = JSON.stringify(options);
    const opened = kept.get(kind) ?? (await open(options));
    // The second page of a test is another person's, in another context.
    kept.delete(kind);
    // What the page of the test before did after that test is no complaint of this one.
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
  context.on('page', (page) => watch(page, { complaints, mayCall }));
  return { page: await context.newPage(), complaints };
}

/**
 * Takes everything from the page that a test has left in it, apart from what it stored for other origins. False if the
 * test closed it or loaded nothing in it. Throws while the page leads elsewhere by itself.
 */
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
  // Otherwise its scripts would run on during the next test.
  await page.goto('about:blank');
  return true;
}

const usualViewport = { width: 1280, height: 720 };

/** As long as `eventually` waits, so that a busy machine fails no test. */
const patienceMs = 60_000;

interface Watched {
  complaints: string[];
  mayCall: string | undefined;
}

function watch(page: Page, { complaints, mayCall }: Watched): void {
  page.on('request', (request) => {
    // Where a page leads to is its own business, and the test's; what it is made from is not.
    if (request.isNavigationRequest() || request.url().startsWith('data:')) return;
    const { origin } = new URL(request.frame().url());
    const asked = new URL(request.url()).origin;
    if (asked !== origin && asked !== mayCall) complaints.push(`${page.url()} asked for ${request.url()}`);
  });
  page.on('pageerror', (error) => complaints.push(`${page.url()} threw ${error.stack ?? error.message}`));
  page.on('console', (message) => {
    // Chromium also calls it an error when the answer to the page's own address is a 404 or a 422, or that of a call of
    // the API.
    const { url } = message.location();
    const isAsked = url === page.url() || (URL.canParse(url) && new URL(url).pathname.includes('/api/v1/'));
    const isAnswer = message.text().startsWith('Failed to load resource') && isAsked;
    if (message.type() === 'error' && !isAnswer) complaints.push(`${page.url()} printed ${message.text()}`);
  });
}
