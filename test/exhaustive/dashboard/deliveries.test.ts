/** More states of deliveries in the dashboard. */
import test from 'ava';
import { barriersOn } from '../../support/browser/accessibility.ts';
import { browserForFile } from '../../support/browser/browser.ts';
import { signInNewUser, signInToDashboard } from '../../support/dashboard/dashboard.ts';
import { insertDeliveries, insertFailedAttempts, unreachableUrl } from '../../support/receivers/deliveries.ts';
import { serverWithoutRetries } from '../../support/server/tillhook.ts';
import { addUser, password } from '../../support/users/users.ts';

// The server makes only one attempt, so that a delivery fails at once.
const server = serverWithoutRetries();

const openPage = browserForFile();

test.serial('a delivery whose first attempt failed is failing on every page', async (t) => {
  const { page, merchant, client } = await signInNewUser(await openPage(t), server());
  const { id: webhookId } = await client.webhookEndpoints.register({ url: unreachableUrl });
  const { data } = await client.checkout.create({ email: 'ada@example.com', amount: 500_000 });
  const { reference } = data;
  const ids = await insertDeliveries(server(), merchant, { webhookId, reference, status: 'pending' });
  await insertFailedAttempts(server(), ids);
  const open = (path: string) => page.goto(`${server().url}/dashboard/test${path}`);

  await open(`/payments/${reference}`);
  const row = page.getByRole('table', { name: 'Deliveries' }).getByRole('row', { name: 'checkout.success' });
  await row.getByText('failing').waitFor();
  await page.getByRole('link', { name: 'checkout.success could not be delivered yet to 127.0.0.1:9' }).waitFor();
  await page
    .getByText(/^1 attempt failed, next try in (59|60) minutes$|^1 attempt failed, next try in 1 hour$/)
    .waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('textbox', { name: 'Search' }).fill(ids[0] ?? '');
  await page.getByRole('dialog').getByText(`failing, \u2068${unreachableUrl}\u2069`).waitFor();
  await open('/events');
  await page.getByRole('row', { name: reference }).getByText('1 not delivered yet').waitFor();
  await open('');
  await page.getByText(`The newest attempts to deliver to ${unreachableUrl} failed.`).waitFor();
  await page.getByRole('link', { name: 'See what failed, and why' }).click();
  await page.getByRole('row', { name: reference }).getByText('failing').waitFor();
  t.deepEqual(await barriersOn(page), []);
});

test.serial('a delivery that cannot be sent again does not advise it', async (t) => {
  const { page, merchant, client } = await signInNewUser(await openPage(t), server());
  const { id: webhookId } = await client.webhookEndpoints.register({ url: unreachableUrl });
  const open = async (event: string) => {
    const [id = ''] = await insertDeliveries(server(), merchant, { webhookId, event });
    await insertFailedAttempts(server(), [id]);
    await page.goto(`${server().url}/dashboard/test/deliveries/${id}`);
  };
  const advice = page.getByText('When it is corrected, send this delivery again.');

  await open('checkout.success');
  await advice.waitFor();
  await open('test.event');
  await page.getByText('A test event is not sent again.').waitFor();
  await page.getByText('Look for the error in the logs of your receiver').waitFor();
  t.is(await advice.count(), 0);
  await client.webhookEndpoints.remove(webhookId);
  await page.reload();
  await page.getByText('The endpoint was removed, so nothing can be sent to it again.').waitFor();
  t.is(await page.getByText('What to do:').count(), 0);
});

test.serial('the pages of a paused endpoint and of its skipped delivery say that nothing is sent to it', async (t) => {
  const { page, merchant, client } = await signInNewUser(await openPage(t), server());
  const { id: webhookId } = await client.webhookEndpoints.register({ url: unreachableUrl });
  const [id] = await insertDeliveries(server(), merchant, { webhookId, status: 'skipped' });
  await client.webhookEndpoints.update(webhookId, { isActive: false });

  await page.goto(`${server().url}/dashboard/test/deliveries/${id}`);

  await page.getByText('The endpoint was paused or disabled, so nothing was sent.').waitFor();
  const toEndpoint = page.getByRole('link', { name: 'Open the endpoint' });
  // The link appears when the endpoint has been read. Before that, the button is disabled too.
  await toEndpoint.waitFor();
  t.true(await page.getByRole('button', { name: 'Send again' }).isDisabled());
  await toEndpoint.click();
  await page.getByText('Paused: nothing is sent to this endpoint').waitFor();
});

test.serial(
  'a resend that fails says that the delivery may have been sent, and a viewer gets no button for it',
  async (t) => {
    const { page, merchant, client } = await signInNewUser(await openPage(t), server());
    const { id: webhookId } = await client.webhookEndpoints.register({ url: unreachableUrl });
    const [id] = await insertDeliveries(server(), merchant, { webhookId });
    await page.route('**/resend', (route) => route.fulfill({ status: 503, body: '' }));
    await page.goto(`${server().url}/dashboard/test/deliveries/${id}`);
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('It may have been sent. Trying again sends it once.').waitFor();
    t.deepEqual(await barriersOn(page), []);

    const viewer = await openPage(t);
    const email = await addUser(server(), merchant, 'viewer');
    await signInToDashboard(viewer, server(), { email, password, path: `/test/deliveries/${id}` });

    await viewer.getByText('Your role is viewer').waitFor();
    t.is(await viewer.getByRole('button', { name: 'Send again' }).count(), 0);
  },
);
