/** Endpoints in the dashboard, from the first test event to a rotated secret. */
import test from 'ava';
import type { Page } from 'playwright-core';
import { barriersOn } from '../support/browser/accessibility.ts';
import { browserForFile } from '../support/browser/browser.ts';
import { loseAnswers, signInNewUser } from '../support/dashboard/dashboard.ts';
import { unreachableUrl } from '../support/receivers/deliveries.ts';
import { receiverFor } from '../support/receivers/receiver.ts';
import { serverForFile } from '../support/server/tillhook.ts';
import { password } from '../support/users/users.ts';

const server = serverForFile();

const openPage = browserForFile();

test.serial('an endpoint is added once although the answer was lost, and gets a test event at once', async (t) => {
  const { page, client } = await signInNewUser(await openPage(t), server(), '/test/webhooks');
  const receiver = await receiverFor(t);
  await page.getByRole('button', { name: 'Add endpoint' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Address').fill('ftp://shop.example.com');
  await dialog.getByRole('button', { name: 'Add endpoint' }).click();
  await dialog.getByText('Must begin with http:// or https://.').waitFor();
  await dialog.getByLabel('Only these').check();
  for (const event of ['checkout.expired', 'transfer.success', 'transfer.failed', 'refund.success', 'refund.failed'])
    await dialog.getByLabel(event).uncheck();
  t.deepEqual(await barriersOn(page), []);

  const keys = await loseAnswers(page, { method: 'POST', path: '/api/v1/merchant-webhooks', times: 3 });
  await dialog.getByLabel('Address').fill(receiver.url);
  await dialog.getByRole('button', { name: 'Add endpoint' }).dblclick();
  await dialog.getByText('It may have been added.').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Add endpoint' }).click();
  await dialog.getByRole('button', { name: 'Add endpoint' }).click();
  const secret = await dialog.getByText(/^whsec_.{32}$/).innerText();

  t.is(new Set(keys).size, 1);
  const { webhooks } = await client.webhookEndpoints.list();
  t.deepEqual(
    webhooks.map(({ url, events }) => [url, events]),
    [[receiver.url, 'checkout.success,checkout.failed']],
  );
  await receiver.addSecret(secret);
  await dialog.getByRole('button', { name: 'Send a test event' }).click();
  await dialog.getByText(/^Answered 200 after \d+ ms$/).waitFor();
  t.is(receiver.deliveries[0]?.verification, 'verified');
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Add endpoint' }).click();
  t.is(await dialog.getByLabel('Address').inputValue(), '');
});

test.serial('an endpoint is paused, resumed, edited, and removed once its name was typed', async (t) => {
  const { page, client } = await signInNewUser(await openPage(t), server(), '/test/webhooks');
  const { id } = await client.webhookEndpoints.register({ url: unreachableUrl });
  const get = () => client.webhookEndpoints.get(id);
  await page.goto(`${server().url}/dashboard/test/webhooks/${id}`);

  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('Paused: nothing is sent to this endpoint').waitFor();
  t.false((await get()).isActive);
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByText('Paused: nothing is sent to this endpoint').waitFor({ state: 'detached' });
  t.true((await get()).isActive);

  await page.getByRole('button', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Address').fill(`${unreachableUrl}/new`);
  await dialog.getByLabel('Only these').check();
  await dialog.getByLabel('checkout.failed').uncheck();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  const events = 'checkout.success,checkout.expired,transfer.success,transfer.failed,refund.success,refund.failed';
  t.like(await get(), { url: `${unreachableUrl}/new`, events });

  await page.getByRole('button', { name: 'Remove' }).click();
  await dialog.getByRole('button', { name: 'Remove endpoint' }).click();
  await dialog.getByText('Type remove to go on.').waitFor();
  t.is((await client.webhookEndpoints.list()).total, 1);
  t.deepEqual(await barriersOn(page), []);
  await loseOneAnswer(page, `**/api/v1/merchant-webhooks/${id}`);
  await dialog.getByLabel('Type remove').fill('remove');
  await dialog.getByRole('button', { name: 'Remove endpoint' }).click();
  await page.getByRole('heading', { name: 'No endpoint yet' }).waitFor();
  await page.getByText(`npm run receiver -- --base-url ${server().url}`).waitFor();
  t.is((await client.webhookEndpoints.list()).total, 0);
});

test.serial('the secret is revealed for the password, another is staged, and the rotation completed', async (t) => {
  const { page, client } = await signInNewUser(await openPage(t), server(), '/test/webhooks');
  const { id, secret } = await client.webhookEndpoints.register({ url: unreachableUrl });
  await page.goto(`${server().url}/dashboard/test/webhooks/${id}?tab=secret`);
  const dialog = page.getByRole('dialog');

  await page.getByRole('button', { name: 'Reveal' }).click();
  await dialog.getByLabel('Password', { exact: true }).fill('wrong');
  await dialog.getByRole('button', { name: 'Reveal' }).click();
  await dialog.getByText('That password is wrong.').waitFor();
  t.deepEqual(await barriersOn(page), []);
  await dialog.getByLabel('Password', { exact: true }).fill(password);
  await dialog.getByRole('button', { name: 'Reveal' }).click();
  await page.getByText(secret).waitFor();

  await page.getByRole('button', { name: 'Stage a next secret' }).click();
  await dialog.getByLabel('Your own secret').check();
  await dialog.getByLabel('Your secret').fill('whsec_short');
  await dialog.getByRole('button', { name: 'Stage it' }).click();
  await dialog.getByText('It is whsec_ and the base64 of 24 random bytes').waitFor();
  await dialog.getByRole('button', { name: 'Make one' }).click();
  const next = await dialog.getByLabel('Your secret').inputValue();
  await dialog.getByRole('button', { name: 'Stage it' }).click();
  await page.getByRole('timer').waitFor();
  t.regex(await page.getByRole('timer').innerText(), /^(1 d 00:00:00|23:59:\d\d)$/);
  t.is(await page.getByText(secret).count(), 0, 'the revealed secret is hidden again');

  await page.getByRole('button', { name: 'Complete the rotation' }).click();
  await dialog.getByRole('button', { name: 'Complete it' }).click();
  await page.getByRole('timer').waitFor({ state: 'detached' });
  t.is((await client.webhookEndpoints.get(id)).secret.slice(-4), next.slice(-4));
  await page.getByText('The old secret still signs webhook-signature').waitFor();
  await page.getByRole('cell', { name: 'two signatures: the present secret, and the old' }).waitFor();

  await client.webhookEndpoints.rotateSecret(id);
  await page.reload();
  await page
    .getByRole('row', { name: /three signatures: the present secret, the next, and the old two for/ })
    .waitFor();
  t.is(
    await page.getByRole('button', { name: 'End the old secret now' }).count(),
    0,
    'ending the old secret would complete the new rotation',
  );
  await client.webhookEndpoints.completeSecretRotation(id);
  await page.reload();
  await page.getByRole('button', { name: 'End the old secret now' }).click();
  await dialog.getByRole('button', { name: 'End it' }).click();
  await page.getByText('The old secret still signs webhook-signature').waitFor({ state: 'detached' });
  t.false('oldSecretEndsAt' in (await client.webhookEndpoints.get(id)));
});

test.serial('the page has code that verifies in each language, and remembers the chosen language', async (t) => {
  const { page, client } = await signInNewUser(await openPage(t), server(), '/test/webhooks');
  const { id } = await client.webhookEndpoints.register({ url: unreachableUrl });
  await page.goto(`${server().url}/dashboard/test/webhooks/${id}`);
  await page.getByRole('tab', { name: 'Code' }).click();

  for (const language of ['TypeScript', 'Python', 'Go', 'Java', 'PHP', 'Ruby']) {
    await page.getByRole('tab', { name: language }).click();
    await page.getByRole('region', { name: `code in ${language}` }).waitFor();
  }

  await page.reload();
  t.regex(await page.getByRole('region', { name: 'code in Ruby' }).innerText(), /mount_proc '\/webhooks' do/);
});

/** The service carries the next change out, but its answer is lost. */
async function loseOneAnswer(page: Page, address: string): Promise<void> {
  let isLost = false;
  await page.route(address, async (route) => {
    if (isLost || route.request().method() === 'GET') return route.continue();
    isLost = true;
    await route.fetch();
    await route.abort();
  });
}
