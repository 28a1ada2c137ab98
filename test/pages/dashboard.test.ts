import test from 'ava';
import type { Page } from 'playwright-core';
import { browserForFile } from '../support/browser.ts';
import { password, signIn, staffedMerchant } from '../support/dashboard.ts';
import { serverForFile } from '../support/tillhook.ts';

const server = serverForFile();
const openPage = browserForFile();

const sees = (page: Page, heading: string) => page.getByRole('heading', { level: 1, name: heading }).waitFor();

for (const javaScriptEnabled of [true, false]) {
  test.serial(`signs in, shows each mode apart, and signs out, JavaScript ${javaScriptEnabled}`, async (t) => {
    const { client, email } = await staffedMerchant(server(), 'Ada’s Books');
    await staffedMerchant(server(), 'Somebody else').then(({ client: other }) =>
      other.checkout.create({ email: 'eve@example.com', amount: 1, reference: 'not-of-ada' }),
    );
    await client.checkout.create({ email: 'grace@example.com', amount: 500_000, reference: 'order-1042' });
    await client.webhookEndpoints.register({ url: 'http://127.0.0.1:4000/hooks', events: ['checkout.success'] });
    const page = await openPage(t, { javaScriptEnabled });

    await signIn(page, server(), { email: email.toLowerCase(), password });
    await sees(page, 'Ada’s Books');
    const main = (await page.getByRole('main').textContent()) ?? '';
    for (const fact of ['order-1042', 'grace@example.com', '₦5,000.00', 'pending', 'http://127.0.0.1:4000/hooks']) {
      t.true(main.includes(fact), fact);
    }
    t.false(main.includes('not-of-ada'));

    await page.getByRole('link', { name: 'Live' }).click();
    await page.getByText('No live payments yet.').waitFor();
    t.false(((await page.getByRole('main').textContent()) ?? '').includes('order-1042'));

    const [cookie] = await page.context().cookies();
    t.like(cookie, { name: 'tillhook_session', httpOnly: true, sameSite: 'Lax' });
    await page.getByRole('button', { name: 'Sign out' }).click();
    await sees(page, 'Sign in to Tillhook');
    const again = await fetch(`${server().url}/dashboard`, {
      headers: { cookie: `tillhook_session=${cookie?.value}` },
      redirect: 'manual',
    });
    t.is(again.status, 303, 'the old cookie opens nothing any more');
  });
}

test.serial('a wrong password and an unknown email are refused alike', async (t) => {
  const { email } = await staffedMerchant(server(), 'Ada’s Books');
  const page = await openPage(t);
  const refusals = new Set<string>();

  for (const typed of [
    { email, password: 'wrong' },
    { email: 'nobody@example.com', password },
  ]) {
    await signIn(page, server(), typed);
    refusals.add(await page.getByRole('alert').innerText());
    t.is(await page.getByLabel('Email').inputValue(), typed.email);
    t.is(await page.getByLabel('Password').inputValue(), '');
  }

  t.deepEqual([...refusals], ['That email and password do not fit. Try again.']);
  t.deepEqual(await page.context().cookies(), []);
});

test.serial('a session ends after twelve idle hours, and after a week however busy', async (t) => {
  const { email } = await staffedMerchant(server(), 'Ada’s Books');
  const page = await openPage(t);
  const age = (column: string, interval: string) =>
    server().database.query(
      `update dashboard_session set ${column} = now() - $2::interval
       where user_id = (select id from dashboard_user where email = $1)`,
      [email, interval],
    );

  await signIn(page, server(), { email, password });
  await sees(page, 'Ada’s Books');
  await age('last_seen_at', '11 hours 59 minutes');
  await page.reload();
  await sees(page, 'Ada’s Books');
  await age('last_seen_at', '12 hours');
  await page.reload();
  await sees(page, 'Sign in to Tillhook');

  await signIn(page, server(), { email, password });
  await sees(page, 'Ada’s Books');
  await age('created_at', '7 days');
  await page.reload();
  await t.notThrowsAsync(sees(page, 'Sign in to Tillhook'));
});

test.serial('neither password nor token is stored in the clear', async (t) => {
  const { email } = await staffedMerchant(server(), 'Ada’s Books');
  const page = await openPage(t);
  await signIn(page, server(), { email, password });
  await sees(page, 'Ada’s Books');
  const [cookie] = await page.context().cookies();

  const rows = await server().database.query(
    `select dashboard_user::text || encode(token_hash, 'escape') || encode(token_hash, 'base64') as text
     from dashboard_user join dashboard_session on user_id = dashboard_user.id`,
  );

  t.true(rows.length > 0 && cookie !== undefined);
  for (const { text } of rows) t.false(String(text).includes(password) || String(text).includes(cookie?.value ?? '?'));
});

test('a form of another site, junk, and an address that is no page are refused with a page', async (t) => {
  const post = (body: string, headers: Record<string, string> = {}) =>
    fetch(`${server().url}/dashboard/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body,
      redirect: 'manual',
    });

  t.is((await post('email=a&password=b', { 'sec-fetch-site': 'cross-site' })).status, 403);
  t.is((await post('email[]=a&password=%00')).status, 422);
  t.is((await post(`email=${'a'.repeat(5000)}`)).status, 413);
  const missing = await fetch(`${server().url}/dashboard/nowhere`);
  t.is(missing.status, 404);
  t.regex(missing.headers.get('content-type') ?? '', /text\/html/);
  t.is(
    (
      await fetch(`${server().url}/dashboard`, {
        headers: { cookie: 'tillhook_session=j:{"a":1}' },
        redirect: 'manual',
      })
    ).status,
    303,
  );
});
