import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import type { Locator, Page } from 'playwright-core';
import { barriersOn } from '../support/browser/accessibility.ts';
import { browserForFile } from '../support/browser/browser.ts';
import {
  codeOn,
  openDashboard,
  openDevelopers,
  runLines,
  signInToDashboard,
  transferWalletOf,
} from '../support/dashboard/dashboard.ts';
import { chooseTab } from '../support/dashboard/lists.ts';
import { signaturePrograms } from '../support/dashboard/signature-programs.ts';
import { eventually } from '../support/eventually.ts';
import { startCheckout } from '../support/money/payments.ts';
import { goodCard, pay, waitForHeading } from '../support/pages/checkout-page.ts';
import { missingLanguages } from '../support/programs/installed-programs.ts';
import { unreachableUrl } from '../support/receivers/deliveries.ts';
import { startReceiver } from '../support/receivers/receiver.ts';
import { serverForFile } from '../support/server/tillhook.ts';
import { addUser, createMerchantWithUser, password } from '../support/users/users.ts';

const server = serverForFile();
const openPage = browserForFile();

const run = promisify(execFile);

test.serial(
  'a new merchant creates an endpoint and sends it the first signed events without leaving Home',
  async (t) => {
    const receiver = await startReceiver();
    t.teardown(() => receiver.stop());
    const merchant = await createMerchantWithUser(server(), 'Ada’s Books');
    const page = await openHome(t, merchant.email);
    await page.getByText('1 of 6 done').waitFor();
    await page.getByRole('button', { name: 'Create a checkout' }).waitFor();
    await page.getByRole('button', { name: /Add an endpoint/ }).click();
    const command = page.getByRole('region', { name: 'command', exact: true });
    t.is((await command.innerText()).trim(), `npm run receiver -- --base-url ${server().url}`);

    await page.getByLabel('Address').fill('not an address');
    await page.getByRole('button', { name: 'Create endpoint' }).click();
    await page.getByLabel('Address').and(page.locator('[aria-invalid=true]')).waitFor();
    await page.getByLabel('Address').fill(`${receiver.url}/webhooks`);
    await page.getByRole('button', { name: 'Create endpoint' }).click();
    await page.getByText('2 of 6 done').waitFor();
    const handOver = await page.getByRole('region', { name: 'command that sends the secret' }).innerText();
    await run('sh', ['-c', handOver]);

    await page.getByRole('button', { name: 'Next: See the webhook' }).click();
    await page.getByRole('button', { name: 'Send a test event', exact: true }).click();
    await page.getByText('Your receiver accepted it.').waitFor();
    await page.getByText('3 of 6 done').waitFor();
    await page.getByRole('button', { name: /Make a test payment/ }).click();

    await page.getByRole('button', { name: 'Create a checkout' }).click();
    const content = page.getByRole('main');
    await content.getByText('₦0', { exact: true }).waitFor();
    t.is(
      await content.getByText(/^(₦[1-9]|0\.\d+)$/).count(),
      0,
      'an empty chart has no scale, and counts are whole numbers',
    );
    const reference = await page.getByRole('main').getByRole('status').getByRole('link').innerText();
    await merchant.client.payments.cancel(reference);
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`);
    await page.getByRole('button', { name: 'Create another checkout' }).click();
    const [checkout] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('link', { name: 'Open checkout in a new window' }).click(),
    ]);
    await pay(checkout, { number: goodCard });
    // Chromium may never close a page that is navigating, so the test waits until the navigation has ended.
    await waitForHeading(checkout, 'Payment successful');
    await checkout.close();
    await page.getByText('4 of 6 done').waitFor();
    await eventually(
      () =>
        receiver.deliveries.map(({ verification, headers }) => `${verification} ${headers['x-service-event']}`).sort(),
      ['verified checkout.expired', 'verified checkout.success', 'verified test.event'],
    );

    await page.getByRole('button', { name: /Verify a signature/ }).click();
    await page.getByRole('tab', { name: 'Node' }).waitFor();
    await page.getByLabel('Output of your code').fill('v1,AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=');
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByText('This is a different signature.').waitFor();
    t.deepEqual(await barriersOn(page), []);
    // Compiled languages take seconds, so only `exhaustive/signature-code.test.ts` runs them.
    const missing = [...missingLanguages(), 'Go', 'Java'];
    for (const language of Object.keys(signaturePrograms).filter((name) => !missing.includes(name))) {
      const printed = await printedBy(t, page, language);
      await page.getByLabel('Output of your code').fill(printed);
      await page.getByRole('button', { name: 'Check', exact: true }).click();
      await page.getByText('Correct: this is the signature that we sent.').waitFor();
      await page.getByLabel('Output of your code').fill('v1,x');
      await page.getByRole('button', { name: 'Check', exact: true }).click();
      await page.getByText('followed by 44 letters, digits and the characters + / =').waitFor();
    }
    await page.getByText('5 of 6 done').waitFor();
    await page.getByRole('button', { name: 'Compute it in this browser' }).click();
    await page.getByText('This browser computed the signature that we sent.').waitFor();
    t.regex(await page.getByLabel('Output of your code').inputValue(), /^v1,[\w+/]{43}=$/);
    await page.getByRole('button', { name: 'Next: Go live' }).click();
    await page.getByRole('listitem').filter({ hasText: 'Payment processor' }).waitFor();
    t.deepEqual(await barriersOn(page), []);

    await page.reload();
    await page.getByText('5 of 6 done').waitFor();
    t.is(await page.getByRole('button', { name: /Go live/ }).count(), 0, 'the list is folded after the first payment');
    await page.getByRole('button', { name: 'Show the list' }).click();
    await page.getByRole('listitem').filter({ hasText: 'Payment processor' }).waitFor();
    await page.getByRole('button', { name: 'Hide this list' }).click();
    await page.getByRole('heading', { name: 'First steps' }).waitFor({ state: 'detached' });
    await page.getByText('₦5,000.00').first().waitFor();
  },
);

test.serial(
  'the figures on Home cover the chosen period, and each problem on Home links to the page where the problem can be solved',
  async (t) => {
    const merchant = await createMerchantWithUser(server(), 'Ada’s Books');
    const { id } = await merchant.client.webhookEndpoints.register({ url: unreachableUrl });
    await merchant.client.webhookEndpoints.rotateSecret(id);
    const { data } = await merchant.client.checkout.create({ email: 'grace@example.com', amount: 123_456 });
    await merchant.client.testHelpers.completePayment(data.reference);
    await server().database.query('update webhook_endpoint set is_active = false, disabled_reason = $2 where id = $1', [
      id,
      'repeated_failures',
    ]);
    const page = await openHome(t, await addUser(server(), merchant, 'viewer'));

    await page.getByText('₦1,234.56').first().waitFor();
    await page.getByRole('radio', { name: 'Today' }).locator('..').click();
    await page.waitForURL('**/test?days=1');
    await page.getByText('₦1,234.56').first().waitFor();
    t.is(await page.getByText('are no longer stored').count(), 0);
    await page.getByRole('radio', { name: '90 days' }).locator('..').click();
    await page.getByText(/^Deliveries before .+ are no longer stored and not counted\.$/).waitFor();
    await page.setViewportSize({ width: 320, height: 640 });
    await eventually(() => page.locator('html').evaluate((html) => html.scrollWidth), 320);
    t.is(await page.getByRole('heading', { name: 'First steps' }).count(), 0);
    await page.getByRole('link', { name: 'View endpoint', exact: true }).click();
    await page.waitForURL(`**/webhooks/${id}`);
    await page.goBack();
    await page.getByText(/and the new one takes over in 2[34] hours automatically/).waitFor();
    await page.getByRole('link', { name: 'View rotation' }).click();
    await page.waitForURL(`**/webhooks/${id}?tab=secret`);

    const own = await openHome(t, merchant.email);
    await own.getByRole('link', { name: 'Complete rotation' }).waitFor();
    await own.getByRole('link', { name: 'View and resume' }).waitFor();
  },
);

async function printedBy(t: ExecutionContext, page: Page, language: string): Promise<string> {
  await page.getByRole('tab', { name: language }).click();
  const code = (await page.getByRole('tabpanel').locator('pre').textContent()) ?? '';
  const folder = await mkdtemp(join(tmpdir(), 'signature-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const { command = [], file = '' } = signaturePrograms[language] ?? {};
  const [program = '', ...args] = command;
  await writeFile(join(folder, file), code);
  return (await run(program, [...args, join(folder, file)])).stdout.trim();
}

async function openHome(t: ExecutionContext, email: string): Promise<Page> {
  const page = await openPage(t);
  await signInToDashboard(page, server(), { email, password });
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  return page;
}

test.serial('a product is created with an image, edited, archived and unarchived', async (t) => {
  const merchant = await server().createMerchant();
  const offered = async () => (await merchant.client.storefront.listProducts()).products;
  const page = await openPage(t);
  await openDashboard(page, server(), { merchant, path: '/test/products' });
  const picture = await page.locator('link[rel=icon]').evaluate((link: { href: string }) => link.href);
  await page.getByRole('heading', { name: 'No products yet' }).waitFor();

  await page.getByRole('button', { name: 'Add product' }).click();
  const adding = page.getByRole('dialog', { name: 'Add product' });
  await adding.getByRole('button', { name: 'Add product' }).click();
  await adding.getByText('Enter a name.').waitFor();
  await adding.getByLabel('Name').fill('كوب <b>Mug</b> ☕');
  await adding.getByLabel('Price').fill('4500');
  await adding.getByLabel('Description').fill('Holds 0.3 l');
  await adding.getByLabel('Stock').fill('12');
  await adding.getByLabel('Image URL').fill(picture);
  await adding.getByText('It costs ₦4,500.00.').waitFor();
  await adding.locator(`img[src="${picture}"]`).waitFor();
  t.deepEqual(await barriersOn(page), []);
  await adding.getByRole('button', { name: 'Add product' }).dblclick();
  await page.getByText('كوب <b>Mug</b> ☕').waitFor();
  const [product, ...others] = await offered();
  const added = { name: 'كوب <b>Mug</b> ☕', description: 'Holds 0.3 l', price: 450_000, stock: 12, imageUrl: picture };
  t.like(product, added);
  t.deepEqual(others, []);

  await page.getByRole('button', { name: /^Edit/ }).click();
  const editing = page.getByRole('dialog', { name: 'Edit product' });
  t.is(await editing.getByLabel('Price').inputValue(), '4500.00');
  await editing.getByLabel('Price').fill('5,000.00');
  await editing.getByLabel('Stock').fill('');
  await editing.getByLabel('Image URL').fill('');
  await editing.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('cell', { name: '₦5,000.00' }).waitFor();
  t.like((await offered())[0], { price: 500_000, stock: null, imageUrl: null });

  const archivings = await loseArchiving(page);
  await page.getByRole('button', { name: /^Archive/ }).click();
  await page.getByRole('cell', { name: 'Archived' }).waitFor();
  const notice = page.getByRole('alert').filter({ hasText: 'archived' });
  await notice.waitFor();
  t.deepEqual(archivings, ['DELETE', 'DELETE'], 'the repeated call archives too, and does not restore the product');
  await page.locator('button[aria-label^="Restore"]:focus').waitFor();
  t.deepEqual(await offered(), []);
  await notice.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('cell', { name: 'Active' }).waitFor();
  t.is((await offered()).length, 1);
  t.deepEqual(await barriersOn(page), []);
  await page.getByRole('button', { name: /^Archive/ }).click();
  await page.getByRole('cell', { name: 'Archived' }).waitFor();
  // React renders the row again when the filtered list arrives, and would lose an earlier click.
  const filtered = page.waitForResponse(/products\?.*isActive=false/);
  await chooseTab(page, 'Archived');
  await filtered;
  await page.getByText('1–1 of 1').waitFor();
  await page.getByRole('button', { name: /^Restore/ }).click();

  await page.getByRole('heading', { name: 'No archived products' }).waitFor();
  t.is((await offered()).length, 1);
});

/** Loses the first response, so that the list already shows the product as archived before the retry. */
async function loseArchiving(page: Page): Promise<string[]> {
  const methods: string[] = [];
  await page.route('**/storefront/products/*', async (route) => {
    methods.push(route.request().method());
    if (methods.length > 1) return route.fallback();
    await route.fetch();
    await page.evaluate(`const { now } = Date;
      Date.now = () => now() + 10_000;
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`);
    await page.getByRole('cell', { name: 'Archived' }).waitFor();
    await route.abort();
  });
  return methods;
}

test.serial(
  'a new API key is shown once and works, and the commands of the quick start contain the key and work',
  async (t) => {
    const page = await openPage(t);
    await openDevelopers(page, server());
    await page.getByRole('button', { name: 'Create API key', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Web shop');
    await dialog.getByLabel('Selected permissions only').check();
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByText('Choose at least one.').waitFor();
    await dialog.getByLabel('Create and cancel checkouts').check();
    t.deepEqual(await barriersOn(page), []);
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const key = (await dialog.locator('pre').textContent()) ?? '';

    await dialog.getByRole('button', { name: 'Done' }).click();
    await dialog.getByText('Close without copying?').waitFor();
    t.deepEqual(await barriersOn(page), []);
    await dialog.getByRole('button', { name: 'Copy the key' }).click();
    await dialog.getByRole('button', { name: 'Done' }).click();

    await dialog.waitFor({ state: 'detached' });
    t.regex((await rowOf(page, 'Web shop').textContent()) ?? '', /Create and cancel checkouts.*Never/);
    const [keep, ask, create] = await codeOn(page);
    t.is(keep, `KEY=${key}`);
    t.is(await page.getByText('This key cannot create a checkout').count(), 0);
    t.is(JSON.parse(await runLines([keep, ask])).merchant.name, 'Ada’s Books');
    t.regex(JSON.parse(await runLines([keep, create])).data.checkoutUrl, /\/checkout\//);

    await page.getByRole('button', { name: 'Create API key', exact: true }).click();
    await dialog.getByLabel('Selected permissions only').check();
    await dialog.getByLabel('Read products').check();
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByRole('button', { name: 'Copy the key' }).click();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByText('This key cannot create a checkout').waitFor();
  },
);

test.serial(
  'the table of API keys shows when a rolled key ends, and the user revokes its replacement after a confirmation',
  async (t) => {
    const page = await openPage(t);
    await openDevelopers(page, server());
    await rowOf(page, 'No name').getByRole('button', { name: 'Roll' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('For one more hour').check();
    await dialog.getByRole('button', { name: 'Roll key' }).click();
    const successor = (await dialog.locator('pre').textContent()) ?? '';
    await dialog.getByRole('button', { name: 'Copy the key' }).click();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('row', { name: /Expires in 59 minutes|Expires in 1 hour/ }).waitFor();

    t.deepEqual((await codeOn(page))[0], `KEY=${successor}`);
    await page.getByRole('button', { name: `Revoke the key ending in ${successor.slice(-4)}` }).click();
    await dialog.getByText(`${successor.slice(0, 12)}…${successor.slice(-4)}`).waitFor();
    await dialog.getByRole('button', { name: 'Revoke key' }).click();

    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Show 1 inactive key' }).click();
    await page.getByRole('table', { name: 'Inactive API keys' }).getByText('Revoked').waitFor();
    t.is((await server().request('/api/v1/me', { key: successor })).status, 401);
    t.is((await codeOn(page))[0], 'KEY=sk_test_…');
  },
);

test.serial(
  'the test helpers complete a payment by its reference, and a double click funds a wallet once',
  async (t) => {
    const merchant = await createMerchantWithUser(server(), 'Ada’s Books');
    await startCheckout(merchant, 'order-1042');
    const page = await openPage(t);
    await openDevelopers(page, server(), merchant.email);

    await page.getByLabel('Reference of a pending payment').fill('order-1042');
    await page.getByRole('button', { name: 'Complete payment' }).click();
    await page.getByRole('status').filter({ hasText: 'order-1042 is now Completed' }).waitFor();
    await page.getByRole('button', { name: 'Complete payment' }).click();
    await page.getByText('The request was refused').waitFor();
    t.deepEqual(await barriersOn(page), []);

    await page.getByLabel('Amount').fill('1,000.50');
    await page.getByRole('button', { name: 'Fund wallet' }).dblclick();

    await page.getByText('The Transfer wallet now has').waitFor();
    t.is(await transferWalletOf(merchant), 100_050);
  },
);

test.serial(
  'a button or a typed time advances the time in test mode, and the page lists the changed deadlines with links',
  async (t) => {
    const merchant = await createMerchantWithUser(server(), 'Ada’s Books');
    await startCheckout(merchant, 'order-1042');
    await startCheckout(merchant, 'order-1043');
    const page = await openPage(t);
    await openDevelopers(page, server(), merchant.email);

    await page.getByRole('button', { name: '1 hour', exact: true }).click();
    await page.getByText('The expiry of 2 checkouts').waitFor();
    t.is((await merchant.client.payments.get('order-1042')).status, 'pending');
    await page.getByLabel('Or by').fill('31');
    await page.getByLabel('Unit').selectOption('Days');
    await page.getByRole('button', { name: 'Advance time' }).click();
    await page.getByText('You can advance by at most 30 days at a time.').waitFor();
    t.deepEqual(await barriersOn(page), []);
    await page.getByLabel('Or by').fill('0.99');
    await page.getByRole('button', { name: 'Advance time' }).dblclick();

    await page.getByText('The expiry of 2 checkouts').waitFor();
    t.is((await merchant.client.payments.get('order-1042')).status, 'expired');
    await page.getByRole('button', { name: '1 day', exact: true }).click();
    await page.getByText('Nothing was due.').waitFor();
    await page.getByLabel('Or by').fill('soon');
    await page.getByRole('button', { name: 'Advance time' }).click();
    await page.getByText('Enter a number.').waitFor();
  },
);

function rowOf(page: Page, text: string): Locator {
  return page.getByRole('row').filter({ hasText: text });
}

test.serial('Home has the days of the time zone that an administrator finds in Settings', async (t) => {
  const merchant = await createMerchantWithUser(server(), 'Ada’s Books');
  const { data } = await merchant.client.checkout.create({ email: 'grace@example.com', amount: 123_456 });
  await merchant.client.testHelpers.completePayment(data.reference);
  await server().database.query(`update merchant set time_zone = 'Africa/Lagos' where id = $1`, [merchant.id]);
  const page = await openHome(t, merchant.email);
  await page.getByText('Days are in Lagos time.').waitFor();
  await page.getByText('Previous 7 days: none').first().waitFor();

  await page.getByRole('link', { name: 'Change', exact: true }).click();
  await page.locator('input[aria-haspopup=listbox]:focus').waitFor();
  await page.keyboard.type('kathm');
  await page.getByRole('option', { name: /^Kathmandu, Asia/ }).click();
  t.deepEqual(await barriersOn(page), []);
  await page.getByRole('button', { name: 'Save time zone' }).click();
  await page.getByText('Time zone saved.').waitFor();
  await page.goto(`${server().url}/dashboard/test`);

  await page.getByText(/Days are in Kat(h)?mandu time\./).waitFor({ timeout: 10_000 });
});
