/** The home page, and what a browser, a program and a crawler find at the address of the service. */
import test from 'ava';
import { browserForFile } from '../support/browser/browser.ts';
import { customers, goodCard, pay, said, waitForHeading } from '../support/pages/checkout-page.ts';
import { addDemoMerchant, payTestCheckout } from '../support/pages/home-scenes.ts';
import { ownServerForFile, startOwnServer, usualSettings } from '../support/server/tillhook.ts';

const server = ownServerForFile(usualSettings);
const openPage = browserForFile();
const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

const get = ({ url }: { url: string }, path: string, init: RequestInit = {}) =>
  fetch(url + path, { redirect: 'manual', ...init });

const codeOf = async (response: Response) => ((await response.json()) as { error: { code: string } }).error.code;

test.serial('a browser at the address of the service gets a page whose links exist, also with HEAD', async (t) => {
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
});

test.serial(
  'a program at the address of the service gets the addresses as text, and one that asks for JSON an error',
  async (t) => {
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
  },
);

test.serial('what browsers and crawlers ask for without a link exists', async (t) => {
  const [icon, robots] = [await get(server(), '/favicon.ico'), await get(server(), '/robots.txt')];

  t.deepEqual([icon.status, icon.headers.get('content-type')], [200, 'image/svg+xml']);
  t.deepEqual([robots.status, robots.headers.get('content-type')], [200, 'text/plain; charset=utf-8']);
  t.regex(await robots.text(), /^User-agent: \*\nDisallow: \/api\/\nDisallow: \/checkout\/\n/);
});

for (const [customer, javaScriptEnabled] of customers) {
  test.serial(`${customer} pays a test checkout of the demo merchant and comes back to the home page`, async (t) => {
    const merchantId = await addDemoMerchant(server());
    const page = await openPage(t, { javaScriptEnabled });

    await page.goto(`${server().url}/`);
    await page.getByRole('button', { name: payTestCheckout }).click();
    await pay(page, { number: goodCard });
    await waitForHeading(page, said('paid.heading'));
    await page.getByRole('link', { name: 'Return to Demo Store' }).click();
    await waitForHeading(page, 'Tillhook');

    const rows = await server().database.query('select mode, status from payment where merchant_id = $1', [merchantId]);
    t.deepEqual(rows, [{ mode: 'test', status: 'completed' }]);
  });
}

test.serial('a test checkout is refused from another site, past the limit, and without a demo merchant', async (t) => {
  const server = await startOwnServer(t, { RATE_LIMITS: 'test_checkout:2/100' });
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
});

test.serial('a suspended demo merchant takes no test checkout, and the page has no button', async (t) => {
  const id = await addDemoMerchant(server());
  await server().database.query('update merchant set suspended_at = now() where id = $1', [id]);

  t.notRegex(await (await get(server(), '/', { headers: browser })).text(), /<form class="demo"/);
  t.is((await get(server(), '/test-checkout', { method: 'POST' })).status, 404);
});
