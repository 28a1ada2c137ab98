/** Tests rare cases of endpoints, deliveries, products, files, search, Home, sign-in, settings and quick start. */
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { withServiceUrl } from '@tillhook/openapi/rules/service-address';
import test, { type ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { languages, wholeProgram } from '../../../docs/quick-start/languages.ts';
import { barriersOn } from '../../support/browser/accessibility.ts';
import { browserForFile } from '../../support/browser/browser.ts';
import {
  codeOn,
  endSession,
  openDashboard,
  openDevelopers,
  openSettings,
  refuse,
  runLines,
  signInNewUser,
  signInToDashboard,
} from '../../support/dashboard/dashboard.ts';
import { startCheckout } from '../../support/money/payments.ts';
import { insertProducts } from '../../support/money/products.ts';
import { paidMerchant } from '../../support/money/refunds.ts';
import { recipient } from '../../support/money/transfers.ts';
import { waitForHeading } from '../../support/pages/checkout-page.ts';
import { quickStartFolder } from '../../support/quick-start/quick-start.ts';
import { insertDeliveries, insertFailedAttempts, unreachableUrl } from '../../support/receivers/deliveries.ts';
import { serverWithoutRetries } from '../../support/server/tillhook.ts';
import { addUser, createMerchantWithUser, password } from '../../support/users/users.ts';

// This server attempts each delivery only once, so the first failed attempt is final.
const server = serverWithoutRetries();
const openPage = browserForFile();

test.serial('a test event that reaches no receiver is explained, with advice', async (t) => {
  const { page, client } = await signInNewUser(await openPage(t), server(), '/test/webhooks');
  const { id } = await client.webhookEndpoints.register({ url: unreachableUrl });
  await page.goto(`${server().url}/dashboard/test/webhooks/${id}`);

  await page.getByRole('button', { name: 'Send a test event' }).click();

  await page.getByText(/^No response after \d+ ms$/).waitFor();
  await page.getByText('Connection refused: nothing is listening at this address and port.').waitFor();
  await page.getByText('Start your receiver, and check that its port is the one in the address.').waitFor();
  t.deepEqual(await barriersOn(page), []);
});

test.serial('the list and the page of each endpoint show its last 24 hours', async (t) => {
  const { page, merchant, client } = await signInNewUser(await openPage(t), server(), '/test/webhooks');
  const { id: webhookId } = await client.webhookEndpoints.register({ url: unreachableUrl });
  await client.webhookEndpoints.register({ url: `${unreachableUrl}/quiet` });
  await insertDeliveries(server(), merchant, { webhookId, count: 2 });

  await page.reload();

  const quiet = page.getByRole('row', { name: 'quiet' }).getByRole('img');
  t.is(await quiet.getAttribute('aria-label'), 'No attempts in the last 24 hours');
  await page.getByRole('row', { name: unreachableUrl }).getByText('Active').first().waitFor();
  await insertFailedAttempts(server(), await insertDeliveries(server(), merchant, { webhookId, status: 'pending' }));
  await page.reload();
  const failing = page.getByRole('row', { name: unreachableUrl });
  await failing.getByText('Failing').waitFor();
  await failing.getByText('1 of 1 failed').waitFor();
  // The bar is red from the first failed attempt.
  await failing.locator('[data-state="bad"]').waitFor();
  await failing.getByRole('img', { name: /^1 of 1 attempt failed since \d\d:\d\d/ }).waitFor();
  t.is(await page.getByText('Active', { exact: true }).count(), 1, 'the quiet one');
  await page.getByRole('link', { name: unreachableUrl, exact: true }).click();
  await page
    .getByRole('main')
    .getByText(/^1 of 1 attempt failed since \d\d:\d\d/)
    .waitFor();
  await page.getByText('0 delivered, 1 retrying, 2 failed.').waitFor();
  t.is(await page.getByText('Active', { exact: true }).count(), 0);
});

test.serial('a viewer sees the endpoint and no button that changes the endpoint', async (t) => {
  const { merchant, client } = await signInNewUser(await openPage(t), server(), '/test/webhooks');
  const { id } = await client.webhookEndpoints.register({ url: unreachableUrl });
  await client.webhookEndpoints.rotateSecret(id);
  await client.webhookEndpoints.completeSecretRotation(id);
  const email = await addUser(server(), merchant, 'viewer');
  const page = await openPage(t);

  await signInToDashboard(page, server(), { email, password, path: `/test/webhooks/${id}?tab=secret` });

  await page.getByText('The old secret still signs webhook-signature').waitFor();
  t.is(await page.getByText('End the old one now').count(), 0);

  await page.getByText('Your role is viewer').waitFor();
  await page.getByText('Only administrators and developers can reveal it.').waitFor();
  t.deepEqual(
    await page
      .getByRole('main')
      .getByRole('button', { name: /^(?!Copy)/ })
      .allInnerTexts(),
    [],
  );
});

test.serial('an endpoint of another merchant is not found', async (t) => {
  const { client } = await server().createMerchant();
  const { id } = await client.webhookEndpoints.register({ url: unreachableUrl });

  const { page } = await signInNewUser(await openPage(t), server(), `/test/webhooks/${id}`);

  await page.getByText('It does not exist in this mode, or you have no access to it.').waitFor();
  t.is(await page.getByText(unreachableUrl).count(), 0);
});

test.serial(
  'the step Verify a signature asks for the password if the page no longer has the secret of the endpoint',
  async (t) => {
    const merchant = await createMerchantWithUser(server(), 'Ada’s Books');
    const { id } = await merchant.client.webhookEndpoints.register({ url: unreachableUrl });
    await merchant.client.webhookEndpoints.sendTest(id);
    const page = await openHome(t, merchant.email);
    await page.getByRole('button', { name: '5. Verify a signature' }).click();

    await page.getByRole('button', { name: 'Show secret' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Password', { exact: true }).fill('another password');
    await dialog.getByRole('button', { name: 'Show secret' }).click();
    await dialog.getByText('Wrong password.').first().waitFor();
    await dialog.getByLabel('Password', { exact: true }).and(page.locator(':focus')).waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page.getByRole('button', { name: 'Show secret' }).click();
    await dialog.getByLabel('Password', { exact: true }).fill(password);
    t.is(await dialog.getByText('Wrong password.').count(), 0);
    const { recoveryCodes } = await server().arrange('turnTwoStepOn', merchant);
    await dialog.getByRole('button', { name: 'Show secret' }).click();
    await dialog.getByLabel('Code').and(page.locator(':focus')).waitFor();
    await page.keyboard.type(`${recoveryCodes[0]}\n`);

    await page.getByLabel('Output of your code').waitFor();
    t.deepEqual(await barriersOn(page), []);
  },
);

async function openHome(t: ExecutionContext, email: string): Promise<Page> {
  const page = await openPage(t);
  await signInToDashboard(page, server(), { email, password });
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  return page;
}

test.serial(
  'an error is shown in the product dialog and typed text stays; a viewer can change no product',
  async (t) => {
    const merchant = await server().createMerchant();
    await insertProducts(server(), merchant, 1_000);
    const page = await openPage(t, { viewport: { width: 320, height: 640 } });
    await openDashboard(page, server(), { merchant, path: '/test/products' });

    await page.getByRole('button', { name: 'Add product' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add product' });
    await dialog.getByLabel('Name').fill('Tin mug');
    await dialog.getByLabel('Price').fill('1');
    await dialog.getByLabel('Image URL').fill('http://shop.example.com/mug.webp');
    await dialog.getByText('Only images with https addresses are shown here.').waitFor();
    await dialog.getByRole('button', { name: 'Add product' }).click();
    await dialog.getByRole('alert').getByText('at most 1,000 active products').waitFor();
    t.is(await dialog.getByLabel('Name').inputValue(), 'Tin mug');
    t.deepEqual(await barriersOn(page), []);

    await openDashboard(page, server(), { merchant, path: '/test/products', role: 'viewer' });
    await page.getByText('1–25 of 1,000').waitFor();
    t.is(await page.getByRole('button', { name: /Add|Edit|Archive/ }).count(), 0);
    t.true(await page.locator('html').evaluate(({ scrollWidth }: { scrollWidth: number }) => scrollWidth <= 320));
  },
);

test.serial('when a CSV file cannot be created, an error is shown, and the file can be requested again', async (t) => {
  const merchant = await server().createMerchant();
  await startCheckout(merchant, 'order-1');
  const page = await openPage(t);
  await openDashboard(page, server(), { merchant, path: '/test/payments' });
  await page.getByText('order-1').waitFor();
  const isCsv = (accept = '') => accept === 'text/csv';
  await page.route('**/api/v1/payments?*', (route) =>
    isCsv(route.request().headers().accept) ? refuse(route, { status: 500, code: 'internal_error' }) : route.fallback(),
  );
  await page.route('**/api/v1/payments', (route) => refuse(route, { status: 500, code: 'internal_error' }));

  await page.getByRole('button', { name: 'Export CSV' }).click();
  const alert = page.getByRole('alert');
  await alert.waitFor();
  await page.unrouteAll();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    alert.getByRole('button', { name: 'Try again' }).click(),
  ]);

  const file = await text(await download.createReadStream());

  t.true(file.includes('order-1'));
  await alert.waitFor({ state: 'detached' });
});

test.serial('the search finds a transfer and a refund by reference, and an endpoint and an event by id', async (t) => {
  const merchant = await paidMerchant(server(), 500_000);
  const { client } = merchant;
  await client.testHelpers.fundWallet({ amount: 10_000 });
  await client.transfers.create({ reference: 'payout-1', amount: 300, recipient: recipient() });
  await client.refunds.create('order-1042', { amount: 100, reference: 'refund-1' });
  const { id: webhookId } = await client.webhookEndpoints.register({ url: unreachableUrl });
  const [delivery = ''] = await insertDeliveries(server(), merchant, { webhookId });
  const { eventId } = await client.deliveries.get(delivery);
  const page = await openPage(t);
  await openDashboard(page, server(), { merchant, path: '/test' });
  const open = async (typed: string, shown: string | RegExp, path: string) => {
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Search' }).getByRole('textbox').fill(typed);
    await page.getByRole('dialog').getByRole('button', { name: shown }).click();
    await page.waitForURL(`**/test${path}`);
  };

  await open('payout-1', /^payout-1.*Transfer of ₦3\.00, \w+, to \u2068Grace Hopper\u2069$/, '/transfers/payout-1');
  await open('refund-1', /^refund-1.*Refund of ₦1\.00.*of order-1042$/, '/payments/order-1042');
  await open(webhookId, /^Webhook endpoint/, `/webhooks/${webhookId}`);
  await open(eventId, /^Event checkout\.success/, `/events/${eventId}`);
  t.is(page.url(), `${server().url}/dashboard/test/events/${eventId}`);
});

test.serial('Enter opens the record, although a page of the documentation was found before it', async (t) => {
  const merchant = await server().createMerchant();
  await startCheckout(merchant, 'order-1042');
  const page = await openPage(t);
  await openDashboard(page, server(), { merchant, path: '/test' });
  const docsFound = page.waitForResponse('**/docs/search.json?q=**');
  await page.route('**/dashboard/search?q=**', async (route) => {
    await Promise.all([docsFound, new Promise((resolve) => setTimeout(resolve, 500))]);
    await route.continue();
  });
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Search' }).getByRole('textbox').fill('order');
  await (await docsFound).finished();

  await page.keyboard.press('Enter');

  await page.waitForURL('**/test/payments/order-1042');
  t.pass('the page of the payment opened');
});

test.serial('a page that loads while the user types in the search leaves the focus in the search', async (t) => {
  const merchant = await server().createMerchant();
  await startCheckout(merchant, 'order-1042');
  const page = await openPage(t);
  await openDashboard(page, server(), { merchant, path: '/test' });
  const late = Promise.withResolvers<void>();
  await page.route('**/assets/payment.page-*.js', async (route) => {
    await late.promise;
    await route.continue();
  });
  const search = page.getByRole('dialog', { name: 'Search' }).getByRole('textbox');
  await page.keyboard.press('Control+k');
  await search.fill('order-1042');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/test/payments/order-1042');

  await page.keyboard.press('Control+k');
  await search.fill('balan');
  late.resolve();
  await page.locator('h1', { hasText: /order-1042$/ }).waitFor();
  await page.keyboard.press('Enter');

  await page.waitForURL('**/test/balances');
  t.is(await page.locator('h1:focus').innerText(), 'Balances');
});

test.serial('a delivery whose first attempt failed is called retrying on every page and in the filter', async (t) => {
  const { page, merchant, client } = await signInNewUser(await openPage(t), server());
  const { id: webhookId } = await client.webhookEndpoints.register({ url: unreachableUrl });
  const { data } = await client.checkout.create({ email: 'ada@example.com', amount: 500_000 });
  const { reference } = data;
  const ids = await insertDeliveries(server(), merchant, { webhookId, reference, status: 'pending' });
  await insertFailedAttempts(server(), ids);
  const open = (path: string) => page.goto(`${server().url}/dashboard/test${path}`);

  await open(`/payments/${reference}`);
  await page.getByRole('button', { name: '1 webhook retrying' }).click();
  await page.getByRole('link', { name: 'checkout.success is being retried at 127.0.0.1:9' }).waitFor();
  await page
    .getByText(/^1 attempt failed, next attempt in (59|60) minutes$|^1 attempt failed, next attempt in 1 hour$/)
    .waitFor();
  await page.keyboard.press('Control+k');
  await page
    .getByRole('dialog', { name: 'Search' })
    .getByRole('textbox')
    .fill(ids[0] ?? '');
  await page.getByRole('dialog').getByText(`retrying, \u2068${unreachableUrl}\u2069`).waitFor();
  await open('/events');
  await page.getByRole('row', { name: reference }).getByText('Retrying: 1').waitFor();
  await open('');
  await page.getByText('1 of 1 failed').waitFor();
  await page.getByText('0%', { exact: true }).waitFor();
  await page.getByRole('link', { name: '1 retrying: see which and why' }).waitFor();
  await page.getByText(`The latest attempts to ${unreachableUrl} failed.`).waitFor();
  await page.getByRole('link', { name: 'View failures' }).click();
  await page.getByRole('row', { name: reference }).getByText('Retrying').waitFor();
  t.deepEqual(await barriersOn(page), []);
  const rows = page.getByRole('table', { name: 'Deliveries' }).getByRole('row', { name: 'checkout.success' });
  const [waiting] = await insertDeliveries(server(), merchant, { webhookId, reference, status: 'pending' });
  await open('/deliveries?status=pending');
  await rows.getByText('Pending').waitFor();
  t.deepEqual(await rows.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('href'))), [
    `/dashboard/test/deliveries/${waiting}`,
  ]);
  await open('/events');
  await page.getByRole('row', { name: reference }).getByText('Pending: 1').waitFor();
});

test.serial('a delivery that cannot be sent again has no button to send it again', async (t) => {
  const { page, merchant, client } = await signInNewUser(await openPage(t), server());
  const { id: webhookId } = await client.webhookEndpoints.register({ url: unreachableUrl });
  const open = async (event: string) => {
    const [id = ''] = await insertDeliveries(server(), merchant, { webhookId, event });
    await insertFailedAttempts(server(), [id]);
    await page.goto(`${server().url}/dashboard/test/deliveries/${id}`);
  };
  const advice = page.getByText('Once it is fixed, resend this delivery.');

  await open('checkout.success');
  await advice.waitFor();
  await open('test.event');
  await page.getByText('Test events cannot be resent.').waitFor();
  await page.getByText('Look for the error in the logs of your receiver').waitFor();
  t.is(await advice.count(), 0);
  await client.webhookEndpoints.remove(webhookId);
  await page.reload();
  await page.getByText('The endpoint was removed, so nothing can be sent to it again.').waitFor();
  t.is(await page.getByText('What to do:').count(), 0);
});

test.serial(
  'the pages of a paused endpoint and of its skipped delivery say that nothing is sent to the endpoint',
  async (t) => {
    const { page, merchant, client } = await signInNewUser(await openPage(t), server());
    const { id: webhookId } = await client.webhookEndpoints.register({ url: unreachableUrl });
    const [id] = await insertDeliveries(server(), merchant, { webhookId, status: 'skipped' });
    await client.webhookEndpoints.update(webhookId, { isActive: false });

    await page.goto(`${server().url}/dashboard/test/deliveries/${id}`);

    await page.getByText('The endpoint was paused or disabled, so nothing was sent.').waitFor();
    const toEndpoint = page.getByRole('link', { name: 'Open the endpoint' });
    // Before the endpoint has been loaded, the button is disabled too, but the link is missing.
    await toEndpoint.waitFor();
    t.true(await page.getByRole('button', { name: 'Resend' }).isDisabled());
    await toEndpoint.click();
    await page.getByText('Paused. Nothing is sent to this endpoint').waitFor();
  },
);

test.serial(
  'a resend that fails says that the delivery may have been sent, and a viewer gets no resend button',
  async (t) => {
    const { page, merchant, client } = await signInNewUser(await openPage(t), server());
    const { id: webhookId } = await client.webhookEndpoints.register({ url: unreachableUrl });
    const [id] = await insertDeliveries(server(), merchant, { webhookId });
    await page.route('**/resend', (route) => route.fulfill({ status: 503, body: '' }));
    await page.goto(`${server().url}/dashboard/test/deliveries/${id}`);
    await page.getByRole('button', { name: 'Resend' }).click();
    await page.getByText('It may have been sent. If you try again, it is still sent only once.').waitFor();
    t.deepEqual(await barriersOn(page), []);

    const viewer = await openPage(t);
    const email = await addUser(server(), merchant, 'viewer');
    await signInToDashboard(viewer, server(), { email, password, path: `/test/deliveries/${id}` });

    await viewer.getByText('Your role is viewer').waitFor();
    t.is(await viewer.getByRole('button', { name: 'Resend' }).count(), 0);
  },
);

test.serial('an operator who signs in again sees the same merchant; a failed sign-out shows a message', async (t) => {
  await server().createMerchant('Grace & Co');
  const email = await addUser(server(), await server().createMerchant('The service itself'), 'operator');
  const page = await openPage(t);
  await signInToDashboard(page, server(), { email, password, path: '/test/operator?tab=merchants' });
  await page.getByRole('button', { name: 'Open Grace & Co' }).click();
  const watched = page.getByRole('banner').getByText('Grace & Co');
  await watched.waitFor();
  await endSession(page, server());
  await page.getByRole('link', { name: 'Deliveries' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Password', { exact: true }).fill(password);
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { name: 'No deliveries yet' }).waitFor();
  t.true(await watched.isVisible());

  await page.route('**/api/v1/dashboard/session', (route) =>
    route.request().method() === 'DELETE' ? refuse(route, { status: 500, code: 'internal_error' }) : route.continue(),
  );
  await page.getByRole('button', { name: `Account of ${email}` }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await dialog.getByRole('alert').getByText('Something went wrong').waitFor();
  t.deepEqual(await barriersOn(page), []);
  await page.unrouteAll();
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await waitForHeading(page, 'Sign in to Tillhook');
  await signInToDashboard(page, server(), { email, password });
  await page.getByRole('banner').getByText('The service itself').waitFor();
});

test.serial('terms, help and the statement descriptor are saved, and an error is shown beside its field', async (t) => {
  const page = await openPage(t);
  await openSettings(page, server());
  await page.getByLabel('Terms of service').fill('http://shop.example.com/terms');
  await page.getByLabel('Statement descriptor').fill('ADA');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Must begin with https://.').waitFor();
  await page.getByText('Must have 5 to 22 Latin letters').waitFor();

  await page.getByLabel('Terms of service').fill('https://shop.example.com/terms');
  await page.getByLabel('Support email').fill('help@shop.example.com');
  await page.getByLabel('Statement descriptor').fill('ADAS BOOKS');
  await page.getByRole('button', { name: 'Save', exact: true }).click();

  await page.getByText('Settings saved.').waitFor();
  await page.reload();
  t.is(await page.getByLabel('Terms of service').inputValue(), 'https://shop.example.com/terms');
  t.is(await page.getByLabel('Support email').inputValue(), 'help@shop.example.com');
  t.is(await page.getByLabel('Statement descriptor').inputValue(), 'ADAS BOOKS');
});

test.serial(
  'the quick start shows the program of each language; the Python program runs after the command shown before it',
  async (t) => {
    const page = await openPage(t);
    await openDevelopers(page, server());
    await page.getByRole('button', { name: 'Create a key for the samples' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByRole('button', { name: 'Copy the key' }).click();
    await dialog.getByRole('button', { name: 'Done' }).click();

    for (const { name, checkout } of languages) {
      await page.getByRole('tab', { name, exact: true }).click();
      const [, program = ''] = await codeOn(page);
      const file = wholeProgram(readFileSync(quickStartFolder + checkout.path, 'utf8'));
      t.is(program, withServiceUrl(file, server().url).trim(), name);
    }
    await page.getByRole('tab', { name: 'Python', exact: true }).click();
    const [keep, program] = await codeOn(page);
    t.regex(await runLines([keep, `python3 - <<'END'`, program, 'END']), /\/checkout\//);
  },
);
