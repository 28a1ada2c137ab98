import { request } from 'node:http';
import { networkInterfaces } from 'node:os';
import { withFreshEntityManager } from '@tillhook/server/src/context.ts';
import { newId } from '@tillhook/server/src/kit/ids.ts';
import { maxShown } from '@tillhook/server/src/pages/mails/mails.page.ts';
import { inTransaction } from '@tillhook/server/src/platform/database/transaction.ts';
import { writeMail } from '@tillhook/server/src/platform/mail/mails.service.ts';
import test from 'ava';
import { browserForFile } from '../support/browser/browser.ts';
import { sampleKind } from '../support/mail/sample-kind.ts';
import { proxyHeaders } from '../support/network/proxy-headers.ts';
import { addMails } from '../support/pages/mail-scenes.ts';
import { ownServerForFile, startServer, startServerWithContext } from '../support/server/tillhook.ts';

const server = ownServerForFile({ SEED_DEMO: 'true', HOST: '0.0.0.0', TRUST_PROXY: 'loopback' });
const openPage = browserForFile();
const browser = { accept: 'text/html,*/*;q=0.8' };

const get = (path: string, headers: Record<string, string> = {}, { url } = server()) =>
  fetch(url + path, { headers: { ...browser, ...headers } });

test.serial('the mailbox says that it is empty, and later lists the newest mails first, at most 100', async (t) => {
  t.regex(await (await get('/mails')).text(), /There is no mail yet/);
  const subjects = Array.from({ length: maxShown + 1 }, (_, index) => `Mail number ${index}`);
  const ids = await addMails(server(), subjects);

  const response = await get('/mails');

  t.is(response.status, 200);
  t.is(response.headers.get('cache-control'), 'no-store');
  const listed = [...(await response.text()).matchAll(/<a href="\/mails\/([^"]+)"><bdi>([^<]*)/g)];
  t.deepEqual(
    listed.map(([, id, subject]) => [id, subject]),
    ids
      .map((id, index) => [id, subjects[index]])
      .reverse()
      .slice(0, maxShown),
  );
});

test.serial('a row of the mailbox has subject, recipient, kind and time of the mail', async (t) => {
  const [id] = await addMails(server(), ['Row'], 'row@example.com');
  const { created_at: createdAt } =
    (await server().database.query('select created_at from mail where id = $1', [id]))[0] ?? {};

  const [row = ''] = (await (await get('/mails')).text()).match(/<li>[\s\S]*?<\/li>/) ?? [];

  for (const text of ['Row', 'row@example.com', sampleKind, (createdAt as Date).toISOString()])
    t.true(row.includes(text), text);
});

test.serial(
  'a mail is shown with its headers, its plain text, and its HTML with styles in a frame, and its links open a new tab',
  async (t) => {
    const [id] = await addMails(server(), ['Shown'], 'shown@example.com');
    const page = await openPage(t);

    await page.goto(`${server().url}/mails/${id}`);

    const shown = await page.locator('main').innerText();
    for (const text of ['Tillhook <tillhook@localhost>', 'shown@example.com', `<${id}@localhost>`, sampleKind])
      t.true(shown.includes(text), text);
    t.regex(await page.locator('pre').innerText(), /^User: shown@example\.com$/m);
    const link = page.frameLocator('iframe').getByRole('link');
    await link.waitFor();
    const [, frame] = page.frames();
    t.is(await frame?.evaluate('getComputedStyle(document.querySelector("h1")).fontSize'), '22px');
    const [tab] = await Promise.all([page.waitForEvent('popup'), link.click()]);
    await tab.waitForURL(`${server().url}/dashboard/**`);
  },
);

test.serial('the mailbox says why a mail has no content, and shows its other mails', async (t) => {
  const [shown] = await addMails(server(), ['Shown beside others']);
  const write = (kind: string, values: object) =>
    inTransaction(withFreshEntityManager(server().context), (tx) =>
      writeMail(tx, { kind, merchantId: null, recipient: 'ada@example.com', values }),
    );
  await write(sampleKind, { content: null });
  await write('a_newer_kind', {});

  const response = await get('/mails');

  t.is(response.status, 200);
  const page = await response.text();
  for (const text of [
    String(shown),
    'No longer needed: its link was used or has ended, or what it tells of has changed',
    'Not rendered: This version does not know mails of the kind a_newer_kind',
  ])
    t.true(page.includes(text), text);
});

test.serial(
  'pages of the mailbox allow only scripts of this server and no inline style, and the HTML of a mail allows only inline styles',
  async (t) => {
    const [id] = await addMails(server(), ['Policies']);
    const policyOf = async (path: string) => {
      const policy = (await get(path)).headers.get('content-security-policy') ?? '';
      return Object.fromEntries(
        policy.split(';').map((part) => [part.split(' ')[0], part.split(' ').slice(1).join(' ')]),
      );
    };

    const page = await policyOf(`/mails/${id}`);
    const html = await policyOf(`/mails/${id}/html`);

    t.like(page, { 'default-src': "'none'", 'script-src': "'self'", 'style-src': "'self'", 'frame-src': "'self'" });
    t.like(html, {
      'default-src': "'none'",
      'script-src': "'none'",
      'style-src': "'unsafe-inline'",
      'frame-ancestors': "'self'",
      sandbox: 'allow-popups allow-popups-to-escape-sandbox',
    });
  },
);

test.serial('markup in a subject and in a recipient is shown as text', async (t) => {
  const markup = '<img src=x onerror=alert(1)>"&amp;';
  const [id] = await addMails(server(), [markup], `${markup}@example.com`);
  const page = await openPage(t);

  for (const path of ['/mails', `/mails/${id}`]) {
    await page.goto(server().url + path);

    t.is(await page.locator('main img').count(), 0, path);
    t.true((await page.locator('main').innerText()).includes(`${markup}@example.com`), path);
    t.is(await page.locator('h1, li a').getByText(markup, { exact: true }).count(), 1, path);
  }
});

test.serial('the latest mail to an address is opened; without a mail, the list is', async (t) => {
  await addMails(server(), ['Earlier'], 'latest@example.com');
  const [id] = await addMails(server(), ['Later'], 'latest@example.com');
  const openedFor = async (to: string) =>
    new URL((await get(`/mails/latest?to=${encodeURIComponent(to)}`)).url).pathname;

  t.is(await openedFor('latest@example.com'), `/mails/${id}`);
  t.is(await openedFor('none@example.com'), '/mails');
});

test.serial('an unknown mail, and an id that is no UUID, get the page for an unknown URL', async (t) => {
  const unknown = await (await get('/unknown')).text();
  for (const path of [`/mails/${newId()}`, '/mails/1', `/mails/${newId()}/html`, '/mails/1/html']) {
    const response = await get(path);

    t.deepEqual([response.status, await response.text()], [404, unknown], path);
  }
});

test.serial('a request from another machine, or through a proxy, gets the page for an unknown URL', async (t) => {
  const [id] = await addMails(server(), ['Hidden']);
  const { port } = new URL(server().url);
  const own = Object.values(networkInterfaces())
    .flat()
    .find((one) => one?.family === 'IPv4' && !one.internal);
  if (!own) return t.fail('This machine has only loopback addresses, so the test cannot act as another machine.');

  for (const path of ['/mails', `/mails/${id}`, `/mails/${id}/html`]) {
    t.is((await get(path)).status, 200, path);
    t.is((await get(path, {}, { url: `http://${own.address}:${port}` } as never)).status, 404, path);
    for (const header of proxyHeaders) t.is((await get(path, { [header]: '127.0.0.1' })).status, 404, header);
  }
});

test.serial('the home page links to the mailbox for a browser that may read it', async (t) => {
  const linksMailbox = async (headers = {}) => (await (await get('/', headers)).text()).includes('href="/mails"');

  t.true(await linksMailbox());
  t.false(await linksMailbox({ 'X-Forwarded-For': '127.0.0.1' }));
});

test.serial('a name of another site that leads to this machine gets the page for an unknown URL', async (t) => {
  const { port } = new URL(server().url);

  t.is(await statusWithHost(`localhost:${port}`), 200);
  t.is(await statusWithHost(`[::1]:${port}`), 200);
  t.is(await statusWithHost(`rebound.example.com:${port}`), 404);
  t.is(await statusWithHost(`127.0.0.1.example.com:${port}`), 404);
});

function statusWithHost(host: string): Promise<number | undefined> {
  const { port } = new URL(server().url);
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path: '/mails', headers: { ...browser, host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on('error', reject).end();
  });
}

test('a service that is no demo has no mailbox', async (t) => {
  const { url } = await startServer(t, { SEED_DEMO: 'false' });
  t.is((await fetch(`${url}/mails`, { headers: browser })).status, 404);
});

test('a demo with a mail server has no mailbox', async (t) => {
  const sending = await startServerWithContext(t, {
    SEED_DEMO: 'true',
    MAIL_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'pay@example.com',
  });
  const [id] = await addMails(sending, ['Sent']);
  t.is((await fetch(`${sending.url}/mails`, { headers: browser })).status, 404);
  t.is((await fetch(`${sending.url}/mails/${id}`, { headers: browser })).status, 404);
});
