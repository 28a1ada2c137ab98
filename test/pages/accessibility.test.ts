import { AxeBuilder } from '@axe-core/playwright';
import test from 'ava';
import type { Page } from 'playwright-core';
import { browserForFile } from '../support/browser.ts';
import { password, signIn, staffedMerchant } from '../support/dashboard.ts';
import { serverForFile } from '../support/tillhook.ts';

const server = serverForFile();
const openPage = browserForFile();

const sees = (page: Page, heading: string | RegExp) => page.getByRole('heading', { level: 1, name: heading }).waitFor();

/** Each page of ours, and how a reader gets there. The reference itself is Scalar's. */
const pages: Record<string, (page: Page) => Promise<void>> = {
  'the card form': async (page) => {
    await page.goto(await checkoutUrl());
    await sees(page, 'Pay');
  },
  'the card form with mistakes': async (page) => {
    await page.goto(await checkoutUrl());
    await page.getByRole('button', { name: /^Pay / }).click();
    await page.getByRole('alert').waitFor();
  },
  'the page after a decline': (page) => pay(page, '4000 0000 0000 0002', 'Payment declined'),
  'the receipt': (page) => pay(page, '4242 4242 4242 4242', 'Payment successful'),
  'no such payment': async (page) => {
    await page.goto(`${server().url}/checkout/nowhere`);
    await sees(page, 'Payment not found');
  },
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
};

for (const [name, open] of Object.entries(pages)) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test.serial(`${name} meets WCAG 2.2 AA, ${colorScheme}`, async (t) => {
      const page = await openPage(t, { colorScheme });
      await open(page);

      const { violations } = await new AxeBuilder({ page })
        .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
        .analyze();

      t.deepEqual(
        violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`),
        [],
      );
    });
  }
}

async function checkoutUrl(): Promise<string> {
  const { client } = await server().createMerchant('Ada’s Books');
  const { data } = await client.checkout.create({
    email: 'ada@example.com',
    amount: 500_000,
    description: 'Two books',
  });
  return data.checkoutUrl;
}

async function pay(page: Page, number: string, outcome: string): Promise<void> {
  await page.goto(await checkoutUrl());
  await page.getByLabel('Card number').fill(number);
  await page.getByLabel('Expiry date').fill('12 / 40');
  await page.getByLabel('Security code').fill('987');
  await page.getByLabel('Name on card').fill('Ada Lovelace');
  await page.getByRole('button', { name: /^Pay / }).click();
  await sees(page, outcome);
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
