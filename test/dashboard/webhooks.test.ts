import test from 'ava';
import type { Page } from 'playwright-core';
import { barriersOn } from '../support/browser/accessibility.ts';
import { browserForFile } from '../support/browser/browser.ts';
import { loseAnswers, signInNewUser } from '../support/dashboard/dashboard.ts';
import { filterBy } from '../support/dashboard/lists.ts';
import { eventually } from '../support/eventually.ts';
import { waitForHeading } from '../support/pages/checkout-page.ts';
import { insertDeliveries, payOnce, unreachableUrl, waitForDeliveries } from '../support/receivers/deliveries.ts';
import { receiverFor } from '../support/receivers/receiver.ts';
import { serverWithoutRetries } from '../support/server/tillhook.ts';
import { password } from '../support/users/users.ts';

// This server attempts each delivery only once, so a failed attempt makes the delivery fail.
const server = serverWithoutRetries();
const openPage = browserForFile();

test.serial(
  'a click on Save that comes before the page shows the saved endpoint sends no second request',
  async (t) => {
    const { page, client } = await signInNewUser(await openPage(t), server(), '/test/webhooks');
    const { id } = await client.webhookEndpoints.register({ url: unreachableUrl });
    await page.goto(`${server().url}/dashboard/test/webhooks/${id}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('dialog').getByLabel('Address').fill(`${unreachableUrl}/new`);
    const sent: string[] = [];
    page.on('request', (request) => request.method() === 'PATCH' && sent.push(request.url()));

    await page.evaluate(clickWhileSlow);

    await page.getByText('Endpoint updated').waitFor();
    t.is(sent.length, 1);
  },
);

/** Timers are late, as on a busy machine, so the answer arrives before the page shows that the request was sent. */
const clickWhileSlow = `new Promise((resolve) => {
  const { setTimeout } = window;
  window.setTimeout = (act, ms = 0, ...given) => setTimeout(act, Math.max(ms, 500), ...given);
  const button = [...document.querySelectorAll('[role=dialog] button')].find(({ textContent }) => textContent === 'Save');
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    button.click();
    if (button.isConnected) return port2.postMessage(null);
    window.setTimeout = setTimeout;
    resolve();
  };
  port2.postMessage(null);
})`;

test.serial('the page of a failing endpoint says why its latest delivery failed', async (t) => {
  const receiver = await receiverFor(t, () => ({ status: 404 }));
  const { page, client } = await signInNewUser(await openPage(t), server(), '/test/webhooks');
  const { id } = await client.webhookEndpoints.register({ url: receiver.url });
  await payOnce(client);
  await waitForDeliveries(client);

  await page.goto(`${server().url}/dashboard/test/webhooks/${id}`);

  await page.getByText('The receiver returned 404: there is nothing at this path.').waitFor();
  await page.getByRole('link', { name: 'View request' }).click();
  await waitForHeading(page, 'Delivery of checkout.success');
  t.is(receiver.deliveries.length, 1);
});

test.serial(
  'an endpoint is created once although the response is lost, and receives a test event immediately',
  async (t) => {
    const { page, client } = await signInNewUser(await openPage(t), server(), '/test/webhooks');
    const receiver = await receiverFor(t);
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Address').fill('ftp://shop.example.com');
    await dialog.getByRole('button', { name: 'Add endpoint' }).click();
    await dialog.getByText('Must begin with http:// or https://.').waitFor();
    await dialog.getByLabel('Selected events').check();
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
    await dialog.getByText(/^Returned 200 after \d+ ms$/).waitFor();
    t.is(receiver.deliveries[0]?.verification, 'verified');
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    t.is(await dialog.getByLabel('Address').inputValue(), '');
  },
);

test.serial(
  'a user pauses, resumes and edits an endpoint, and removes it after typing the word that confirms the removal',
  async (t) => {
    const { page, client } = await signInNewUser(await openPage(t), server(), '/test/webhooks');
    const { id } = await client.webhookEndpoints.register({ url: unreachableUrl });
    const get = () => client.webhookEndpoints.get(id);
    await page.goto(`${server().url}/dashboard/test/webhooks/${id}`);

    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Paused. Nothing is sent to this endpoint').waitFor();
    t.false((await get()).isActive);
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('Paused. Nothing is sent to this endpoint').waitFor({ state: 'detached' });
    t.true((await get()).isActive);

    await page.getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Address').fill(`${unreachableUrl}/new`);
    await dialog.getByLabel('Selected events').check();
    await dialog.getByLabel('checkout.failed').uncheck();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    const events = 'checkout.success,checkout.expired,transfer.success,transfer.failed,refund.success,refund.failed';
    t.like(await get(), { url: `${unreachableUrl}/new`, events });

    await page.getByRole('button', { name: 'Remove' }).click();
    await dialog.getByRole('button', { name: 'Remove endpoint' }).click();
    await dialog.getByText('Type remove to continue.').waitFor();
    t.is((await client.webhookEndpoints.list()).total, 1);
    t.deepEqual(await barriersOn(page), []);
    await loseOneAnswer(page, `**/api/v1/merchant-webhooks/${id}`);
    await dialog.getByLabel('Type remove').fill('remove');
    await dialog.getByRole('button', { name: 'Remove endpoint' }).click();
    await page.getByRole('heading', { name: 'No endpoints yet' }).waitFor();
    await page.getByText(`npm run receiver -- --base-url ${server().url}`).waitFor();
    t.is((await client.webhookEndpoints.list()).total, 0);
  },
);

test.serial('the password reveals the secret of an endpoint, and a staged secret replaces it', async (t) => {
  const { page, client } = await signInNewUser(await openPage(t), server(), '/test/webhooks');
  const { id, secret } = await client.webhookEndpoints.register({ url: unreachableUrl });
  await page.goto(`${server().url}/dashboard/test/webhooks/${id}?tab=secret`);
  const dialog = page.getByRole('dialog');

  await page.getByRole('button', { name: 'Reveal' }).click();
  await dialog.getByLabel('Password', { exact: true }).fill('wrong');
  await dialog.getByRole('button', { name: 'Reveal' }).click();
  await dialog.getByText('Wrong password.').waitFor();
  t.deepEqual(await barriersOn(page), []);
  await dialog.getByLabel('Password', { exact: true }).fill(password);
  await dialog.getByRole('button', { name: 'Reveal' }).click();
  await page.getByText(secret).waitFor();

  await page.getByRole('button', { name: 'Stage next secret' }).click();
  await dialog.getByLabel('Your own secret').check();
  await dialog.getByLabel('Your secret').fill('whsec_short');
  await dialog.getByRole('button', { name: 'Stage secret' }).click();
  await dialog.getByText('Enter whsec_ followed by the base64 of 24 random bytes').waitFor();
  await dialog.getByRole('button', { name: 'Generate' }).click();
  const next = await dialog.getByLabel('Your secret').inputValue();
  await dialog.getByRole('button', { name: 'Stage secret' }).click();
  await page.getByRole('timer').waitFor();
  t.regex(await page.getByRole('timer').innerText(), /^(1 d 00:00:00|23:59:\d\d)$/);
  t.is(await page.getByText(secret).count(), 0, 'the revealed secret is hidden again');

  await page.getByRole('button', { name: 'Complete rotation' }).click();
  await dialog.getByRole('button', { name: 'Complete rotation' }).click();
  await page.getByRole('timer').waitFor({ state: 'detached' });
  t.is((await client.webhookEndpoints.get(id)).secret.slice(-4), next.slice(-4));
  await page.getByText('The old secret still signs webhook-signature').waitFor();
  await page.getByRole('cell', { name: 'two signatures: the current secret and the old' }).waitFor();

  await client.webhookEndpoints.rotateSecret(id);
  await page.reload();
  await page
    .getByRole('row', { name: /three signatures: the current secret, the next, and the old two for/ })
    .waitFor();
  t.is(
    await page.getByRole('button', { name: 'End old secret now' }).count(),
    0,
    'ending the old secret would complete the new rotation',
  );
  await client.webhookEndpoints.completeSecretRotation(id);
  await page.reload();
  await page.getByRole('button', { name: 'End old secret now' }).click();
  await dialog.getByRole('button', { name: 'End old secret' }).click();
  await page.getByText('The old secret still signs webhook-signature').waitFor({ state: 'detached' });
  t.false('oldSecretEndsAt' in (await client.webhookEndpoints.get(id)));
});

test.serial(
  'the page of an endpoint has code that verifies signatures in each language, and remembers the chosen language',
  async (t) => {
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
  },
);

async function loseOneAnswer(page: Page, address: string): Promise<void> {
  let isLost = false;
  await page.route(address, async (route) => {
    if (isLost || route.request().method() === 'GET') return route.continue();
    isLost = true;
    await route.fetch();
    await route.abort();
  });
}

test.serial('a failed delivery is explained, and can be sent again with three clicks from Home', async (t) => {
  const { page, client } = await signInNewUser(await openPage(t), server());
  const receiver = await receiverFor(t);
  receiver.setAnswer(() => ({ status: 503, body: 'restarting' }));
  const endpoint = await client.webhookEndpoints.register({ url: receiver.url });
  const reference = await payOnce(client);
  await waitForDeliveries(client);
  receiver.setAnswer(() => ({ status: 200 }));

  await page.getByRole('link', { name: 'Deliveries' }).click();
  await page.getByRole('row', { name: reference }).getByRole('link', { name: 'checkout.success' }).click();
  await waitForHeading(page, 'Delivery of checkout.success');
  await page.getByText('The receiver or a proxy in front of it returned 503: it is not available.').waitFor();
  await page.getByText('Check that your receiver is running and that the proxy can reach it.').waitFor();
  await page.getByRole('region', { name: 'response body of attempt 1' }).getByText('restarting').waitFor();
  await page.getByRole('region', { name: 'request headers of attempt 1' }).getByText('X-Service-Attempt: 1').waitFor();
  await page.getByRole('button', { name: 'Resend' }).dblclick();

  await page.getByText(/^Delivered in \d+ ms$/).waitFor();
  t.is((await client.deliveries.list({ reference })).total, 2, 'two clicks send it once');
  t.is(receiver.deliveries.length, 2);
  await page.getByRole('link', { name: 'An earlier delivery' }).click();
  await page.getByText('Failed', { exact: true }).first().waitFor();
  const earlierAddress = page.getByText(`Sent to ${receiver.url}, the endpoint’s address at that time.`);
  t.is(await earlierAddress.count(), 0);
  await client.webhookEndpoints.update(endpoint.id, { url: `${receiver.url}/moved` });
  await page.reload();
  await earlierAddress.waitFor();
});

test.serial(
  'the deliveries that an endpoint has missed since a given time are replayed, although a response is lost',
  async (t) => {
    const { page, merchant, client } = await signInNewUser(await openPage(t), server(), '/test/deliveries');
    const receiver = await receiverFor(t);
    const { id: webhookId } = await client.webhookEndpoints.register({ url: receiver.url });
    const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
    await insertDeliveries(server(), merchant, { webhookId, createdAt: hoursAgo(2), count: 2 });
    await insertDeliveries(server(), merchant, { webhookId, createdAt: hoursAgo(2), status: 'skipped' });
    await insertDeliveries(server(), merchant, { webhookId, createdAt: hoursAgo(30) });
    let lost = 0;
    await page.route('**/replay', async (route) => {
      lost += 1;
      if (lost > 2) return route.continue();
      if (lost === 2)
        return route.fulfill({ json: { ...(await (await route.fetch()).json()), data: { count: 3, hasMore: true } } });
      await route.fetch();
      await route.abort();
    });
    const paused = await client.webhookEndpoints.register({ url: unreachableUrl });
    await client.webhookEndpoints.update(paused.id, { isActive: false });
    await page.reload();

    await page.getByRole('button', { name: 'Replay missed' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Last day' }).click();
    t.deepEqual(await barriersOn(page), []);
    await dialog.getByRole('button', { name: 'Replay', exact: true }).click();

    await dialog.getByText('Some are left.').waitFor();
    await eventually(() => receiver.deliveries.length, 3);
    await dialog.getByRole('button', { name: 'Replay the rest' }).waitFor();
    await dialog.getByLabel('Skipped: the endpoint was not active').uncheck();
    await dialog.getByText('3 deliveries were resent').waitFor();
    await dialog.getByRole('button', { name: 'Replay', exact: true }).click();
    await dialog.getByText('Nothing was missed in this period').waitFor();
  },
);

test.serial(
  'new events appear without a reload, are held back while the list is paused, and show the body that was sent',
  async (t) => {
    const { page, client } = await signInNewUser(await openPage(t), server(), '/test/events');
    const receiver = await receiverFor(t);
    await client.webhookEndpoints.register({ url: receiver.url });
    await page.getByRole('heading', { name: 'No events yet' }).waitFor();
    // The test sets the clock of the user's computer a little behind.
    await page.evaluate(() => {
      const { now } = Date;
      Date.now = () => now() - 13_000;
    });

    const first = await payOnce(client);
    await page.getByRole('row', { name: first }).waitFor();
    t.is(await page.getByText(/^in \d+ seconds$/).count(), 0, 'no event is shown as in the future');
    await page.getByText('New events appear automatically.').waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Paused. New events appear when you resume.').waitFor();
    const second = await payOnce(client);
    await page.getByRole('button', { name: '1 new' }).waitFor();
    t.is(await page.getByRole('row', { name: second }).count(), 0);
    t.deepEqual(await barriersOn(page), []);
    await page.getByRole('button', { name: '1 new' }).click();
    await page.getByRole('row', { name: second }).waitFor();
    // A paused list does not update its rows, so the row may lack the delivery until the list is resumed.
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('row', { name: second }).getByText('Delivered: 1').waitFor();
    await filterBy(page, 'Reference', 'ord');
    await page.getByText('The full reference: 6 or more').waitFor();
    await page.keyboard.press('Escape');
    await filterBy(page, 'Reference', second);
    await page.getByText('1–1 of 1').waitFor();

    await page.getByRole('row', { name: second }).getByRole('link').click();
    await waitForHeading(page, 'checkout.success');
    const payload = page.getByRole('region', { name: 'payload' });
    await page.getByText(`As it is sent to ${receiver.url}. For another endpoint only webhookId differs.`).waitFor();
    t.regex(await payload.innerText(), /^\{\n {2}"event": "checkout.success"/);
    await page.getByText('Raw', { exact: true }).click();
    const sent = receiver.deliveries.find(({ body }) => body.toString().includes(second));
    t.is(await payload.innerText(), sent?.body.toString() ?? '');
    await page.getByRole('table', { name: 'Deliveries of this event' }).getByRole('link').click();
    await page.getByText(/^Delivered in \d+ ms$/).waitFor();
  },
);
