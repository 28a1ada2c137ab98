import { generateSecret } from '@tillhook/sdk';
import test from 'ava';
import type { Page } from 'playwright-core';
import { browserForFile } from '../support/browser.ts';
import { password, signIn, staffedMerchant } from '../support/dashboard.ts';
import { serverForFile, startServer, type TestServer } from '../support/tillhook.ts';

const server = serverForFile();
const openPage = browserForFile();

const sees = (page: Page, heading: string) => page.getByRole('heading', { level: 1, name: heading }).waitFor();

for (const javaScriptEnabled of [true, false]) {
  test.serial(`shows a signing secret to who gives the password again, JavaScript ${javaScriptEnabled}`, async (t) => {
    const { client, email } = await staffedMerchant(server(), 'Ada’s Books');
    const url = 'http://127.0.0.1:4000/hooks';
    const { id, secret = '' } = await client.webhookEndpoints.register({ url, events: ['checkout.success'] });
    const page = await openPage(t, { javaScriptEnabled });
    const facts = async () => (await page.getByRole('main').innerText()).replace(/\s+/g, ' ');
    const give = async (typed: string) => {
      await page.getByLabel('Password').fill(typed);
      await page.getByRole('button', { name: 'Show the secret' }).click();
    };
    await signIn(page, server(), { email, password });

    await page.getByRole('link', { name: url }).click();
    await sees(page, 'Webhook endpoint');
    for (const fact of [url, 'Events checkout.success', 'State active', 'Delivered 0', 'Last delivery never']) {
      t.true((await facts()).includes(fact), fact);
    }
    t.false((await page.content()).includes(secret));

    await give('wrong');
    t.is(await page.getByRole('alert').innerText(), 'That is not your password. Try again.');
    t.false((await page.content()).includes(secret));

    await give(password);
    await page.getByText(secret, { exact: true }).waitFor();
    t.false((await facts()).includes('Next secret'));

    const next = generateSecret();
    await client.webhookEndpoints.rotateSecret(id, { secret: next, switchAfterSeconds: 3600 });
    await page.goto(`${server().url}/dashboard/endpoints/${id}?mode=test`);
    await give(password);
    await page.getByText(next, { exact: true }).waitFor();
    t.true((await facts()).includes(`Secret ${secret} Next secret ${next} Takes over`));
  });
}

test.serial('a revealed secret is kept by no cache, and is the one of this moment', async (t) => {
  const { client, email } = await staffedMerchant(server(), 'Ada’s Books');
  const { id } = await client.webhookEndpoints.register({ url: 'http://127.0.0.1:4000/hooks' });
  const next = generateSecret();
  await client.webhookEndpoints.rotateSecret(id, { secret: next });
  // The deadline has come, and nobody has written it down.
  await server().database.query(
    `update webhook_endpoint set secret_rotation = jsonb_set(secret_rotation, '{next,at}', '"2026-01-01T00:00:00.000Z"')
     where id = $1`,
    [id],
  );

  const revealed = await reveal(server(), `${id}?mode=test`, { cookie: await cookieOf(server(), email) });

  t.is(revealed.status, 200);
  t.is(revealed.headers.get('cache-control'), 'no-store');
  const text = await revealed.text();
  t.true(text.includes(`>${next}</code>`));
  t.false(text.includes('Next secret'));
});

test.serial(
  'a secret is shown for no other merchant or mode, to no other site, and to nobody who is not signed in',
  async (t) => {
    const { client, email } = await staffedMerchant(server(), 'Ada’s Books');
    const { client: other } = await staffedMerchant(server(), 'Somebody else');
    const url = 'http://127.0.0.1:4000/hooks';
    const [mine, foreign] = [
      await client.webhookEndpoints.register({ url }),
      await other.webhookEndpoints.register({ url }),
    ];
    const cookie = await cookieOf(server(), email);
    const status = async (endpoint: string, given: Revealing = {}) =>
      (await reveal(server(), endpoint, { cookie, ...given })).status;

    t.is(await status(`${mine.id}?mode=test`), 200);
    t.is(await status(`${mine.id}?mode=live`), 404);
    t.is(await status(`${foreign.id}?mode=test`), 404);
    t.is(await status('nowhere?mode=test'), 404);
    t.is(await status(`${mine.id}?mode=test`, { headers: { 'sec-fetch-site': 'cross-site' } }), 403);
    t.is(await status(`${mine.id}?mode=test`, { typed: 'wrong' }), 422);
    t.is(await status(`${mine.id}?mode=test`, { cookie: '' }), 303);
    const page = (endpoint: string) =>
      fetch(`${server().url}/dashboard/endpoints/${endpoint}`, { headers: { cookie } });
    t.is((await page(`${mine.id}?mode=test`)).status, 200);
    t.is((await page(`${foreign.id}?mode=test`)).status, 404);
  },
);

test.serial('each wrong password given for a secret is counted, and each secret shown is audited', async (t) => {
  const own = await startServer(t, { RATE_LIMITS: 'password:3/100' });
  const { client, email } = await staffedMerchant(own, 'Ada’s Books');
  const { id, secret = '' } = await client.webhookEndpoints.register({ url: 'http://127.0.0.1:4000/hooks' });
  const cookie = await cookieOf(own, email);
  const lines: Record<string, unknown>[] = [];
  const log = Object.assign(Object.create(own.context.log), {
    child: () => log,
    info: (fields: object, msg: string) => lines.push({ ...fields, msg }),
  });
  own.context.log = log;

  const statuses: number[] = [];
  for (const typed of ['wrong', password, 'worse', password, 'worst', password]) {
    statuses.push((await reveal(own, `${id}?mode=test`, { cookie, typed })).status);
  }

  t.deepEqual(statuses, [422, 200, 422, 200, 422, 429]);
  const acts = await own.database.query(
    `select subject, user_email from audit_entry where action = 'revealWebhookSecret'`,
  );
  const shown = { subject: id, user_email: email };
  t.deepEqual(acts, [shown, shown]);
  t.true(lines.some(({ msg }) => msg === 'request'));
  const logged = JSON.stringify(lines);
  t.false(logged.includes(secret) || logged.includes(password));
});

/** Signs in without a browser. */
async function cookieOf({ url }: TestServer, email: string): Promise<string> {
  const body = new URLSearchParams({ email, password });
  const { headers } = await fetch(`${url}/dashboard/sign-in`, { method: 'POST', body, redirect: 'manual' });
  return headers.get('set-cookie')?.split(';')[0] ?? '';
}

interface Revealing {
  cookie?: string;
  typed?: string;
  headers?: Record<string, string>;
}

function reveal({ url }: TestServer, endpoint: string, { cookie = '', typed = password, headers }: Revealing) {
  return fetch(`${url}/dashboard/endpoints/${endpoint}`, {
    method: 'POST',
    headers: { cookie, ...headers },
    body: new URLSearchParams({ password: typed }),
    redirect: 'manual',
  });
}
