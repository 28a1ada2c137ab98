import test from 'ava';
import type { Page } from 'playwright-core';
import { barriersOn } from '../support/accessibility.ts';
import { browserForFile } from '../support/browser.ts';
import { password, signIn, staffedMerchant } from '../support/dashboard.ts';
import { serverForFile } from '../support/tillhook.ts';

const server = serverForFile();
const openPage = browserForFile();

const sees = (page: Page, heading: string | RegExp) => page.getByRole('heading', { level: 1, name: heading }).waitFor();

/** Each page of ours but the hosted checkout's, and how a reader gets there. The reference itself is Scalar's. */
const pages: Record<string, (page: Page) => Promise<void>> = {
  'the sign-in': async (page) => {
    await page.goto(`${server().url}/dashboard`);
    await sees(page, 'Sign in to Tillhook');
  },
  'a refused sign-in': async (page) => {
    await signIn(page, server(), { email: 'nobody@example.com', password });
    await page.getByRole('alert').waitFor();
  },
  'the dashboard': async (page) => {
    const { client, email } = await staffedMerchant(server(), 'Ada’s Books');
    await client.checkout.create({ email: 'grace@example.com', amount: 500_000 });
    await client.webhookEndpoints.register({ url: 'http://127.0.0.1:4000/hooks' });
    await signIn(page, server(), { email, password });
    await sees(page, 'Ada’s Books');
  },
  'an endpoint in the dashboard': async (page) => {
    await openEndpoint(page);
  },
  'an endpoint with a refused password': async (page) => {
    await openEndpoint(page);
    await showSecret(page, 'wrong');
    await page.getByRole('alert').waitFor();
  },
  'an endpoint with its secrets': async (page) => {
    await openEndpoint(page);
    await showSecret(page, password);
    await page.getByText('Next secret').waitFor();
  },
  'the errors': async (page) => {
    await page.goto(`${server().url}/docs/errors`);
    await sees(page, 'Errors');
  },
  'the benchmarks': async (page) => {
    await page.goto(`${server().url}/docs/benchmarks`);
    await sees(page, 'Benchmarks');
  },
};

for (const [name, open] of Object.entries(pages)) {
  test.serial(`${name} meets WCAG 2.2 AA, light and dark`, async (t) => {
    const page = await openPage(t);
    await open(page);

    t.deepEqual(await barriersOn(page), []);
  });
}

/** An endpoint whose secret is being replaced. */
async function openEndpoint(page: Page): Promise<void> {
  const { client, email } = await staffedMerchant(server(), 'Ada’s Books');
  const { id, url } = await client.webhookEndpoints.register({ url: 'http://127.0.0.1:4000/hooks' });
  await client.webhookEndpoints.rotateSecret(id, {});
  await signIn(page, server(), { email, password });
  await page.getByRole('link', { name: url }).click();
  await sees(page, 'Webhook endpoint');
}

async function showSecret(page: Page, typed: string): Promise<void> {
  await page.getByLabel('Password').fill(typed);
  await page.getByRole('button', { name: 'Show the secret' }).click();
}
