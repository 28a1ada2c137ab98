/** A server on a port other than 3000 must name its own URL everywhere, even behind a proxy that adds a path prefix. */
import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { addressAt } from '@tillhook/openapi/rules/service-address';
import { startLinesFor } from '@tillhook/server/src/start/start-lines.ts';
import type { Tillhook } from '@tillhook/server/src/start/tillhook.ts';
import test, { type ExecutionContext } from 'ava';
import { browserForFile } from '../support/browser/browser.ts';
import { collectingStream } from '../support/collecting-stream.ts';
import { signInToDashboard } from '../support/dashboard/dashboard.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/network/free-port.ts';
import { passOn } from '../support/network/pass-on.ts';
import { customers, goodCard, pay, said, waitForHeading } from '../support/pages/checkout-page.ts';
import { addDemoMerchant, payTestCheckout, removeDemoMerchant } from '../support/pages/home-scenes.ts';
import { serverWithContext, startServer, startServerWithContext } from '../support/server/tillhook.ts';
import { createMerchantWithUser, password } from '../support/users/users.ts';

const server = serverWithContext({ SEED_DEMO: 'true' });
const openPage = browserForFile();

const usual = /.{0,60}(localhost|127\.0\.0\.1|\{host\}):3000\b.{0,20}/g;

test('on a server with another URL, no public page and no linked file contains the default URL', async (t) => {
  const { url, createMerchant } = server();
  const { client } = await createMerchant();
  const { data } = await client.checkout.create({ email: 'ada@example.com', amount: 1 });
  const unlinked = ['/openapi.yaml', '/openapi.json', '/openapi-3.0.json', '/docs/llms.txt', '/docs/first-hour.txt'];
  const toVisit = new Set([...['/', '/docs', '/dashboard', ...unlinked].map((path) => url + path), data.checkoutUrl]);
  const wrong: string[] = [];

  for (const address of toVisit) {
    const response = await fetch(address, { headers: { accept: 'text/html, */*' } });
    const text = await response.text();
    // The dashboard's scripts contain the default URL only in samples, and replace it in the browser.
    if (!address.includes('/dashboard/assets/'))
      wrong.push(...[...text.matchAll(usual)].map(([found]) => `${address}: ${found}`));
    for (const link of linksIn(text, response)) if (link.startsWith(url)) toVisit.add(link);
  }

  t.deepEqual(wrong, []);
  t.true(toVisit.size > 200, `${toVisit.size} pages and files`);
  const verifier = await (await fetch(`${url}/docs/verifier`)).text();
  t.true(verifier.includes(`<code>npm run receiver -- --base-url ${url}</code>`));
});

function linksIn(text: string, { url, headers }: Response): string[] {
  const isHtml = headers.get('content-type')?.startsWith('text/html');
  const pattern = isHtml ? /\s(?:href|src)="([^"#]+)/g : /\]\(([^)#\s]+)/g;
  const found = [...text.matchAll(pattern)].map(([, link = '']) => link.replaceAll('&amp;', '&'));
  return found.filter((link) => URL.canParse(link, url)).map((link) => new URL(link, url).href.replace(/#.*/, ''));
}

for (const isTTY of [true, false]) {
  test(`a starting server prints its own URL ${isTTY ? 'to a terminal' : 'to a script'}, and the command that starts a receiver only to a terminal`, async (t) => {
    const { url, context } = server();
    const started = { url, metricsUrl: null, demo: null, isDemo: true, emails: async () => [], context };
    const { stream, take } = collectingStream({ isTTY });
    const lines = startLinesFor(stream as unknown as NodeJS.WriteStream);

    await lines.serves(started as unknown as Tillhook);
    await lines.isReady(started as unknown as Tillhook);

    const printed = take();
    t.true(printed.includes(`${url}/docs`));
    t.is(printed.includes(`npm run receiver -- --base-url ${url}\n`), isTTY);
    t.notRegex(printed, usual);
  });
}

const places: [situation: string, settings: Record<string, string>, address: string][] = [
  ['PORT', { PORT: '4700' }, 'http://localhost:4700'],
  ['PORT and HOST', { PORT: '4700', HOST: '192.0.2.7' }, 'http://192.0.2.7:4700'],
  ['PUBLIC_URL', { PORT: '4700', PUBLIC_URL: 'https://pay.example.com' }, 'https://pay.example.com'],
  [
    'TILLHOOK_BASE_URL',
    { PUBLIC_URL: 'https://pay.example.com', TILLHOOK_BASE_URL: 'http://localhost:4701' },
    'http://localhost:4701',
  ],
  ['nothing', {}, 'http://localhost:3000'],
];

for (const [situation, settings, address] of places) {
  test(`with ${situation} in .env, the developers' commands call the service at the right URL`, async (t) => {
    const cwd = folderWith(t, settings);

    const help = await printedIn(t, { cwd }, 'developer listen --help');
    const receiver = await printedIn(t, { cwd }, 'receiver --port 0');

    t.true(help.includes(`TILLHOOK_BASE_URL (now ${address})`), help);
    t.true(receiver.includes(`curl -s ${address}/api/v1/merchant-webhooks`), receiver);
  });
}

test('a command finds the running service by PORT, and names the URL of the service when the service does not answer', async (t) => {
  const { url, createMerchant } = server();
  const { testKey: TILLHOOK_API_KEY } = await createMerchant();
  const cwd = folderWith(t, { PORT: new URL(url).port, TILLHOOK_API_KEY });
  const free = String(await freePort());

  const found = await printedIn(t, { cwd }, 'developer events');
  const missed = await printedIn(t, { cwd, env: { PORT: free } }, 'developer events');

  t.regex(found, /^No event matches/);
  t.regex(missed, new RegExp(`gave no answer: .*:${free}\\.\n`));
});

test('PORT does not change the port of a receiver', async (t) => {
  const cwd = folderWith(t, { PORT: '4700' });

  const printed = await printedIn(t, { cwd, env: { PORT: '0' } }, 'receiver');
  const named = await printedIn(t, { cwd }, 'receiver --port 0 --base-url http://localhost:9');

  t.true(printed.includes('http://localhost:4700/api/v1'), printed);
  t.true(named.includes('http://localhost:9/api/v1'), named);
});

test('a server that listens on one address of its machine prints a URL with this address', (t) => {
  const addresses = ['127.0.0.1', '0.0.0.0', '::', '127.0.0.2', 'tills.internal', '2001:db8::7'].map((host) =>
    addressAt(host, 80),
  );

  t.deepEqual(addresses, [
    ...['http://localhost:80', 'http://localhost:80', 'http://localhost:80'],
    ...['http://127.0.0.2:80', 'http://tills.internal:80', 'http://[2001:db8::7]:80'],
  ]);
});

test('behind a proxy that adds a path prefix, every URL on a page has the prefix and answers, and a user can sign in', async (t) => {
  const port = await freePort();
  const proxy = createServer((incoming, response) => {
    const path = incoming.url?.replace(/^\/tillhook(?=[/?]|$)/, '');
    passOn(incoming, response, `http://127.0.0.1:${port}${path === incoming.url ? '/nothing' : path}`);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  t.teardown(() => proxy.close());
  const publicUrl = `http://localhost:${(proxy.address() as AddressInfo).port}/tillhook`;
  const below = await startServer(t, { PORT: String(port), PUBLIC_URL: `${publicUrl}/`, SEED_DEMO: 'true' });
  const { client } = await below.createMerchant();
  const { data } = await client.checkout.create({ email: 'ada@example.com', amount: 1 });
  const { checkoutUrl } = data;
  t.true(checkoutUrl.startsWith(`${publicUrl}/checkout/`), checkoutUrl);

  const pages = [
    `${publicUrl}/`,
    `${publicUrl}/docs`,
    `${publicUrl}/docs/errors`,
    `${publicUrl}/dashboard`,
    checkoutUrl,
  ];
  const found = new Set<string>();
  for (const page of pages) {
    const response = await fetch(page, { headers: { accept: 'text/html' } });
    t.is(response.status, 200, page);
    for (const address of addressesIn(await response.text(), page)) found.add(address);
  }
  const own = [...found].filter((address) => new URL(address).host === new URL(publicUrl).host);
  t.true(own.length > 50, `${own.length} addresses`);
  t.deepEqual(
    own.filter((address) => !`${address}/`.startsWith(`${publicUrl}/`)),
    [],
  );
  const missing: string[] = [];
  for (const address of own) {
    // This path accepts only the POST of a form and has no page.
    const method = address.endsWith('/test-checkout') ? 'POST' : 'HEAD';
    const { status } = await fetch(address, { method, headers: { accept: 'text/html' } });
    if (status === 404) missing.push(address);
  }
  t.deepEqual(missing, []);

  const { email } = await createMerchantWithUser(below, 'Ada’s Books');
  const page = await openPage(t);
  await signInToDashboard(page, below, { email, password, path: '/test/deliveries' });
  await waitForHeading(page, 'Deliveries');
  await page.reload();
  await waitForHeading(page, 'Deliveries');
  t.is(page.url(), `${publicUrl}/dashboard/test/deliveries`);
});

function addressesIn(html: string, page: string): string[] {
  return [...html.matchAll(/\s(?:href|src|action|content)="([^"#][^"]*)"/g)].flatMap(([attribute, address = '']) => {
    if (/\scontent=/.test(attribute) && !/^https?:/.test(address)) return [];
    const url = new URL(address.replaceAll('&amp;', '&'), page);
    url.hash = '';
    return /^https?:$/.test(url.protocol) ? [url.href] : [];
  });
}

function folderWith(t: ExecutionContext, settings: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'tillhook-own-address-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  writeFileSync(
    join(folder, '.env'),
    Object.entries(settings)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  );
  return folder;
}

interface Place {
  cwd: string;
  env?: Record<string, string>;
}

async function printedIn(t: ExecutionContext, { cwd, env }: Place, line: string) {
  const [name, ...args] = line.split(' ');
  const program = fileURLToPath(new URL(`../../mock/src/commands/${name}.ts`, import.meta.url));
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env;
  const child = spawn(process.execPath, ['--conditions=@tillhook/source', program, ...args], {
    cwd,
    env: { PATH, HOME, NODE_COMPILE_CACHE, ...env },
  });
  t.teardown(() => child.kill('SIGKILL'));
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  }
  let hasEnded = false;
  child.on('close', () => {
    hasEnded = true;
  });
  await eventually(
    () => hasEnded || printed.includes('/secrets -d @-'),
    (isDone) => isDone,
  );
  return printed;
}

const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

const get = ({ url }: { url: string }, path: string, init: RequestInit = {}) =>
  fetch(url + path, { redirect: 'manual', ...init });

const codeOf = async (response: Response) => ((await response.json()) as { error: { code: string } }).error.code;

test.serial(
  'the home page answers GET and HEAD of a browser, and each of its links leads to an existing page',
  async (t) => {
    await removeDemoMerchant(server());
    const response = await get(server(), '/', { headers: browser });
    const head = await get(server(), '/', { method: 'HEAD', headers: browser });

    t.is(response.status, 200);
    t.regex(response.headers.get('content-type') ?? '', /^text\/html/);
    t.regex(response.headers.get('vary') ?? '', /Accept/);
    t.deepEqual([head.status, await head.text()], [200, '']);
    const markup = await response.text();
    t.notRegex(markup, /<form class="demo"/);
    const links = [...markup.matchAll(/(?:href|src)="(\/[^"]*)"/g)].map(([, path = '']) => path);
    t.true(links.length > 10);
    for (const link of new Set(links)) t.is((await get(server(), link, { headers: browser })).status, 200, link);
  },
);

test.serial('at the root path, a program gets the URLs as plain text, or an error if it asks for JSON', async (t) => {
  await addDemoMerchant(server());

  const text = await get(server(), '/', { headers: { accept: '*/*' } });
  const json = await get(server(), '/', { headers: { accept: 'application/json' } });

  t.is(text.status, 200);
  t.is(text.headers.get('content-type'), 'text/plain; charset=utf-8');
  const addresses = [...(await text.text()).matchAll(/^\w+ +(http\S+)$/gm)].map(([, address = '']) => address);
  t.deepEqual(
    addresses,
    ['/api/v1', '/docs', '/dashboard'].map((path) => server().url + path),
  );
  t.is(json.status, 404);
  t.is(await codeOf(json), 'route_not_found');
});

test.serial('there are a favicon and a robots.txt, which browsers and crawlers request without a link', async (t) => {
  const [icon, robots] = [await get(server(), '/favicon.ico'), await get(server(), '/robots.txt')];

  t.deepEqual([icon.status, icon.headers.get('content-type')], [200, 'image/svg+xml']);
  t.deepEqual([robots.status, robots.headers.get('content-type')], [200, 'text/plain; charset=utf-8']);
  const text = await robots.text();
  t.regex(text, /^User-agent: \*\nDisallow: \/api\/\nDisallow: \/checkout\/\n/);
  for (const path of ['/llms.txt', '/llms-full.txt']) t.true(text.includes(`# ${server().url}${path}\n`), path);
});

test.serial('the command on the home page of a demo prints the link of a checkout, as it is copied', async (t) => {
  await addDemoMerchant(server());
  const page = await openPage(t);
  await page.goto(`${server().url}/`);

  const command = await page.locator('.home pre').innerText();
  const { stdout } = await promisify(execFile)('sh', ['-c', command]);
  const shown = await page.goto(stdout.trim());

  t.true(stdout.startsWith(`${server().url}/checkout/`), stdout);
  t.is(shown?.status(), 200);
  await t.notThrowsAsync(page.getByText('₦5,000.00', { exact: true }).first().waitFor());
});

test.serial('the home page tells previews of links what it is, with a picture that exists', async (t) => {
  const markup = await (await get(server(), '/', { headers: browser })).text();
  const contentOf = (name: string) => new RegExp(`="${name}" content="([^"]+)"`).exec(markup)?.[1] ?? '';

  t.is(contentOf('description'), contentOf('og:description'));
  t.regex(contentOf('description'), /hosted checkout/);
  t.is(contentOf('og:url'), `${server().url}/`);
  const picture = await fetch(contentOf('og:image'));
  t.deepEqual([picture.status, picture.headers.get('content-type')], [200, 'image/png']);
});

for (const [customer, javaScriptEnabled] of customers) {
  test.serial(`${customer} pays a test checkout of the demo merchant and returns to the home page`, async (t) => {
    const merchantId = await addDemoMerchant(server());
    const page = await openPage(t, { javaScriptEnabled });

    await page.goto(`${server().url}/`);
    await page.getByRole('button', { name: payTestCheckout }).click();
    await pay(page, { number: goodCard });
    await waitForHeading(page, said('paid.heading'));
    await page.getByRole('link', { name: 'Return to Demo Store' }).click();
    await waitForHeading(page, 'Tillhook');

    const query = 'select mode, status, reference from payment where merchant_id = $1';
    const rows = await server().database.query<{ reference: string }>(query, [merchantId]);
    const link = page.getByRole('link', { name: 'See the payment in the dashboard' });
    t.like(rows, [{ mode: 'test', status: 'completed' }]);
    t.is(await link.getAttribute('href'), `/dashboard/test/payments/${rows[0]?.reference}`);
    await page.goto(`${server().url}/`);
    t.is(await link.count(), 0);
  });
}

test.serial(
  'a test checkout is refused from another site, beyond the rate limit, and without a demo merchant',
  async (t) => {
    const server = await startServerWithContext(t, { RATE_LIMITS: 'test_checkout:2/100' });
    const post = (headers: Record<string, string> = {}) => get(server, '/test-checkout', { method: 'POST', headers });
    const otherSite = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example.com' };

    const without = await post();
    t.deepEqual([without.status, await codeOf(without)], [404, 'resource_not_found']);
    await addDemoMerchant(server);
    t.is((await post({ ...otherSite, ...browser })).status, 403);
    const taken = await post(browser);
    t.is(taken.status, 303);
    t.regex(taken.headers.get('location') ?? '', /^\/checkout\/[0-9a-f-]{36}$/);
    const refused = await post(browser);
    t.deepEqual([refused.status, refused.headers.get('content-type')], [429, 'text/html; charset=utf-8']);
    t.regex(refused.headers.get('retry-after') ?? '', /^\d+$/);
    const program = await post();
    t.deepEqual([program.status, await codeOf(program)], [429, 'rate_limited']);
    const rows = await server.database.query('select count(*)::int as payments from payment');
    t.deepEqual(rows, [{ payments: 1 }]);
  },
);

test.serial(
  'while the demo merchant is suspended, the home page has no button for a test checkout, and a test checkout is refused',
  async (t) => {
    const id = await addDemoMerchant(server());
    await server().database.query('update merchant set suspended_at = now() where id = $1', [id]);

    t.notRegex(await (await get(server(), '/', { headers: browser })).text(), /<form class="demo"/);
    t.is((await get(server(), '/test-checkout', { method: 'POST' })).status, 404);
  },
);
