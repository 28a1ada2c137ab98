/** Deliveries and events in the dashboard: why one failed, and how it is sent again. */
import test from 'ava';
import { barriersOn } from '../support/browser/accessibility.ts';
import { browserForFile } from '../support/browser/browser.ts';
import { signInNewUser } from '../support/dashboard/dashboard.ts';
import { eventually } from '../support/eventually.ts';
import { waitForHeading } from '../support/pages/checkout-page.ts';
import { insertDeliveries, payOnce, unreachableUrl, waitForDeliveries } from '../support/receivers/deliveries.ts';
import { receiverFor } from '../support/receivers/receiver.ts';
import { serverWithoutRetries } from '../support/server/tillhook.ts';

// The server makes only one attempt, so that a delivery fails at once.
const server = serverWithoutRetries();

const openPage = browserForFile();

test.serial('a failed delivery is explained, and three clicks from Home send it again, once', async (t) => {
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
  await page.getByText('The receiver, or a proxy before it, answered 503: it is not available.').waitFor();
  await page.getByText('Check that your receiver runs and that the proxy reaches it.').waitFor();
  await page.getByRole('region', { name: 'response body of attempt 1' }).getByText('restarting').waitFor();
  await page.getByRole('region', { name: 'request headers of attempt 1' }).getByText('X-Service-Attempt: 1').waitFor();
  t.deepEqual(await barriersOn(page), []);
  await page.getByRole('button', { name: 'Send again' }).dblclick();

  await page.getByText(/^Delivered in \d+ ms$/).waitFor();
  t.is((await client.deliveries.list({ reference })).total, 2, 'two clicks send it once');
  t.is(receiver.deliveries.length, 2);
  await page.getByRole('link', { name: 'an earlier delivery' }).click();
  await page.getByText('Failed', { exact: true }).waitFor();
  const earlierAddress = page.getByText(`It was sent to ${receiver.url}, which was the address of the endpoint then.`);
  t.is(await earlierAddress.count(), 0);
  await client.webhookEndpoints.update(endpoint.id, { url: `${receiver.url}/moved` });
  await page.reload();
  await earlierAddress.waitFor();
});

test.serial('deliveries that an endpoint missed since a time are replayed, although an answer was lost', async (t) => {
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
  await dialog.getByText('3 deliveries are sent again.').waitFor();
  await dialog.getByRole('button', { name: 'Replay', exact: true }).click();
  await dialog.getByText('Nothing was missed in this time').waitFor();
});

test.serial('new events appear without a reload, wait while the feed is paused, and show the sent body', async (t) => {
  const { page, client } = await signInNewUser(await openPage(t), server(), '/test/events');
  const receiver = await receiverFor(t);
  await client.webhookEndpoints.register({ url: receiver.url });
  await page.getByRole('heading', { name: 'Nothing has happened yet' }).waitFor();
  // The clock of the user's computer is a little slow.
  await page.evaluate(() => {
    const { now } = Date;
    Date.now = () => now() - 13_000;
  });

  const first = await payOnce(client);
  await page.getByRole('row', { name: first }).waitFor();
  t.is(await page.getByText(/^in \d+ seconds$/).count(), 0, 'no event is shown as in the future');
  await page.getByText('New events appear by themselves.').waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('New events wait until you resume.').waitFor();
  const second = await payOnce(client);
  await page.getByRole('button', { name: '1 new' }).waitFor();
  t.is(await page.getByRole('row', { name: second }).count(), 0);
  t.deepEqual(await barriersOn(page), []);
  await page.getByRole('button', { name: '1 new' }).click();
  await page.getByRole('row', { name: second }).getByText('1 delivered').waitFor();
  await page.getByLabel('Reference').fill('ord');
  await page.getByText('The whole reference: 6 or more').waitFor();
  await page.getByLabel('Reference').fill(second);
  await page.getByText('1–1 of 1').waitFor();

  await page.getByRole('row', { name: second }).getByRole('link').click();
  await waitForHeading(page, 'checkout.success');
  const payload = page.getByRole('region', { name: 'payload' });
  await page.getByText(`As it is sent to ${receiver.url}. For another endpoint only webhookId differs.`).waitFor();
  t.regex(await payload.innerText(), /^\{\n {2}"event": "checkout.success"/);
  await page.getByText('Raw', { exact: true }).click();
  const sent = receiver.deliveries.find(({ body }) => body.toString().includes(second));
  t.is(await payload.innerText(), sent?.body.toString() ?? '');
  t.deepEqual(await barriersOn(page), []);
  await page.getByRole('table', { name: 'Deliveries of this event' }).getByRole('link').click();
  await page.getByText(/^Delivered in \d+ ms$/).waitFor();
});
