import type { Page } from 'playwright-core';
import { sees } from './checkout-page.ts';
import { password, signIn, staffedMerchant } from './dashboard.ts';
import type { Scenes } from './scene.ts';
import type { OwnServer } from './tillhook.ts';

const hooks = 'http://127.0.0.1:4000/hooks';

/** Every page of the dashboard, in every state that looks different. */
export const dashboardScenes: Scenes = {
  'the sign-in': async (page, { url }) => {
    await page.goto(`${url}/dashboard`);
    await sees(page, 'Sign in to Tillhook');
  },
  'a refused sign-in': async (page, server) => {
    await signIn(page, server, { email: 'nobody@example.com', password });
    await page.getByRole('alert').waitFor();
  },
  'an empty dashboard': async (page, server) => {
    await signIn(page, server, { ...(await staffedMerchant(server, 'Ada’s Books')), password });
    await sees(page, 'Ada’s Books');
  },
  'the dashboard': async (page, server) => {
    const merchant = await staffedMerchant(server, 'Ada’s Books');
    const { client, email } = merchant;
    for (const [reference, amount] of [
      ['order-1042', 500_000],
      ['order-1043', 1],
      ['order-1044', 999_999_999_999],
    ] as const)
      await client.checkout.create({ email: 'grace@example.com', amount, reference });
    await client.testHelpers.completePayment('order-1042');
    await client.testHelpers.failPayment('order-1043');
    await client.webhookEndpoints.register({ url: hooks, events: ['checkout.success', 'checkout.failed'] });
    await signIn(page, server, { email, password });
    await sees(page, 'Ada’s Books');
  },
  'an endpoint in the dashboard': (page, server) => openEndpoint(page, server),
  'an endpoint with a refused password': async (page, server) => {
    await openEndpoint(page, server);
    await showSecret(page, 'wrong');
    await page.getByRole('alert').waitFor();
  },
  'an endpoint with its secrets': async (page, server) => {
    await openEndpoint(page, server);
    await showSecret(page, password);
    await page.getByText('Next secret').waitFor();
  },
  'no such page of the dashboard': async (page, { url }) => {
    await page.goto(`${url}/dashboard/nowhere`);
    await sees(page, 'There is no such page');
  },
};

/** An endpoint whose secret is being replaced. */
async function openEndpoint(page: Page, server: OwnServer): Promise<void> {
  const { client, email } = await staffedMerchant(server, 'Ada’s Books');
  const { id } = await client.webhookEndpoints.register({ url: hooks });
  await client.webhookEndpoints.rotateSecret(id, {});
  await signIn(page, server, { email, password });
  await page.getByRole('link', { name: hooks }).click();
  await sees(page, 'Webhook endpoint');
}

async function showSecret(page: Page, typed: string): Promise<void> {
  await page.getByLabel('Password').fill(typed);
  await page.getByRole('button', { name: 'Show the secret' }).click();
}
