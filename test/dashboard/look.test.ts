import { globSync, readFileSync } from 'node:fs';
import { withSignInWays } from '@tillhook/server/src/pages/dashboard/dashboard.routes.ts';
import test from 'ava';
import { flawsAndBarriersOn } from '../support/browser/accessibility.ts';
import { browserForFile } from '../support/browser/browser.ts';
import { signInToDashboard } from '../support/dashboard/dashboard.ts';
import { flawsOfScenes, mockForFile } from '../support/dashboard/dashboard-scene.ts';
import { dashboardPages } from '../support/dashboard/dashboard-scenes.ts';
import { waitForHeading } from '../support/pages/checkout-page.ts';
import { serverForFile } from '../support/server/tillhook.ts';
import { createMerchantWithUser, password } from '../support/users/users.ts';

const server = serverForFile();
const openPage = browserForFile();
const mock = mockForFile();

test.serial('no page of the dashboard has style flaws, and every page meets WCAG 2.2 AA', async (t) => {
  t.timeout(240_000);
  t.deepEqual(
    await flawsOfScenes(await openPage(t), { mock: mock(), scenes: dashboardPages, look: flawsAndBarriersOn }),
    {},
  );
});

const source = new URL('../../server/dashboard/', import.meta.url).pathname;

test('each link from the dashboard to the docs leads to an existing page, even when the dashboard runs over the mock', async (t) => {
  const { url } = mock();
  const texts = globSync(['src/**/*.tsx', 'index.html'], { cwd: source }).map((name) =>
    readFileSync(source + name, 'utf8'),
  );
  const links = new Set(texts.flatMap((text) => text.match(/\/docs(\/[a-z-]+)?(?=["`#])/g) ?? []));

  for (const link of links) {
    const response = await fetch(url + link);

    t.is(response.status, 200, link);
    t.regex(await response.text(), /<h1/, link);
  }

  t.true(links.size > 4);
  t.is((await fetch(`${url}/docs/nowhere`, { headers: { accept: 'text/html' } })).status, 404);
});

test('every path below /dashboard returns a page whose Content-Security-Policy forbids inline scripts', async (t) => {
  const [first, second] = await Promise.all([ask('/dashboard'), ask('/dashboard/live/payments/order-1042?x=1')]);

  t.is(second.status, 200);
  t.is(second.headers.get('cache-control'), 'no-store');
  const policy = second.headers.get('content-security-policy') ?? '';
  const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? '';
  t.is(
    policy.replace(nonce, 'N'),
    "default-src 'none';script-src 'self';style-src 'self' 'nonce-N';connect-src 'self';img-src 'self' data: https:;" +
      "frame-src 'self';form-action 'self';frame-ancestors 'none';base-uri 'none'",
  );
  t.false(first.headers.get('content-security-policy')?.includes(nonce));
  const page = await second.text();
  t.true(page.includes(`nonce="${nonce}"`));
  t.false(/<script(?![^>]*\ssrc=)/.test(page));
  t.false(/<style|\sstyle=|\son\w+=/.test(page));
});

test('the page says how users sign in, and a name that the operator chose stays inside its attribute', async (t) => {
  const page = await (await ask('/dashboard/sign-in')).text();
  t.regex(page, /<meta name="tillhook-sign-in" content="\{&quot;password&quot;:true,/);

  const [ways, built] = [
    { password: true, passkey: false, resetByMail: true, mailbox: false },
    '<meta name="tillhook-sign-in" content="">',
  ];
  const written = withSignInWays(built, { ...ways, company: { name: '"><script>$&' } });
  t.true(written.endsWith('{&quot;name&quot;:&quot;\\&quot;&gt;&lt;script&gt;$&amp;&quot;}}">'), written);
});

test('assets of the dashboard may be cached for ever and have the requested encoding, and an unknown asset gets 404', async (t) => {
  const script = scriptIn(await (await ask('/dashboard')).text());
  const [brotli, gzip, plain, missing] = await Promise.all([
    ask(script, { 'accept-encoding': 'gzip, br' }),
    ask(script, { 'accept-encoding': 'gzip' }),
    ask(script, { 'accept-encoding': 'identity' }),
    ask('/dashboard/assets/index-00000000.js'),
  ]);

  for (const [response, encoding] of [
    [brotli, 'br'],
    [gzip, 'gzip'],
    [plain, null],
  ] as const) {
    t.is(response.headers.get('content-encoding'), encoding);
    t.is(response.headers.get('vary'), 'Accept-Encoding');
    t.is(response.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    t.is(response.headers.get('content-type'), 'text/javascript; charset=utf-8');
  }
  t.is(await brotli.text(), await plain.text());
  t.is(missing.status, 404);
});

test.serial('the first load of Home needs at most 200 KB of gzipped scripts', async (t) => {
  const { email } = await createMerchantWithUser(server(), 'Ada’s Books');
  const page = await openPage(t);
  await signInToDashboard(page, server(), { email, password });
  await waitForHeading(page, 'Home');
  const scripts = new Set<string>();
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.add(new URL(request.url()).pathname.split('/').at(-1) ?? '');
  });

  await page.reload({ waitUntil: 'networkidle' });

  const sizes = [...scripts].map((name) => readFileSync(`${source}dist/assets/${name}.gz`).length);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  t.log(`${scripts.size} scripts, ${total} bytes gzipped`);
  t.true(total > 50_000 && total <= 200 * 1024);
});

test('without JavaScript the dashboard says that it needs JavaScript, and links to the docs', async (t) => {
  const page = await (await ask('/dashboard/test/payments')).text();

  const [, told = ''] = /<noscript>(.*)<\/noscript>/s.exec(page) ?? [];
  t.regex(told, /needs JavaScript, which is off/);
  t.regex(told, /<a href="\/docs">/);
});

function ask(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(server().url + path, { headers });
}

function scriptIn(page: string): string {
  return /<script [^>]*src="([^"]+)"/.exec(page)?.[1] ?? '';
}
