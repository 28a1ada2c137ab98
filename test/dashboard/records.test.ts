import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import test from 'ava';
import type { Page } from 'playwright-core';
import { barriersOn } from '../support/browser/accessibility.ts';
import { browserForFile } from '../support/browser/browser.ts';
import { loseAnswers, openDashboard, refuse } from '../support/dashboard/dashboard.ts';
import { eventually } from '../support/eventually.ts';
import { payByForm } from '../support/money/hosted-page.ts';
import { paidMerchant } from '../support/money/refunds.ts';
import { fundedMerchant, recipient, waitForTransfer } from '../support/money/transfers.ts';
import { declinedCard } from '../support/pages/checkout-page.ts';
import { unreachableUrl } from '../support/receivers/deliveries.ts';
import { receiverFor } from '../support/receivers/receiver.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();
const openPage = browserForFile();

const laptop = { viewport: { width: 1_440, height: 900 } };
const paidPath = '/test/payments/order-1042';

const heightOf = (page: Page) =>
  page.locator('html').evaluate(({ scrollHeight }: { scrollHeight: number }) => scrollHeight);

test.serial(
  'a paid payment with three webhooks fits on the screen of a laptop, and its webhooks are folded',
  async (t) => {
    const receiver = await receiverFor(t);
    const merchant = await server().createMerchant('Ada’s Books');
    const { client } = merchant;
    await client.webhookEndpoints.register({ url: receiver.url });
    await client.webhookEndpoints.register({ url: `${receiver.url}/second` });
    await client.webhookEndpoints.register({ url: unreachableUrl });
    for (const reference of ['order-1041', 'order-1042'])
      await client.checkout.create({
        email: 'ada@example.com',
        amount: 500_000,
        reference,
        description: 'Two tickets',
        metadata: { cart: '7', shelf: 'B7' },
        callbackUrl: 'https://shop.example.com/thanks',
      });
    await client.testHelpers.completePayment('order-1042');
    await client.payments.update('order-1042', { note: 'Wants an aisle.' });
    const page = await openPage(t, laptop);
    await openDashboard(page, server(), { merchant, path: paidPath });

    await page.getByRole('heading', { level: 1, name: '₦5,000.00 NGN order-1042', exact: true }).waitFor();
    const fold = page.getByRole('button', { name: '3 webhooks Failed: 1 Delivered: 2' });
    await fold.waitFor();
    await page.getByText('Wants an aisle.').waitFor();
    t.is(await page.title(), '₦5,000.00 · order-1042 · Test mode · Ada’s Books · Tillhook');
    t.is(await page.getByRole('link', { name: /^checkout\.success (was|could)/ }).count(), 0);
    t.true((await heightOf(page)) <= laptop.viewport.height, `${await heightOf(page)} pixels`);
    t.deepEqual(await barriersOn(page), []);
    await fold.click();
    await page.getByRole('link', { name: 'checkout.success could not be delivered to 127.0.0.1:9' }).waitFor();
    t.is(await page.getByRole('link', { name: /^checkout\.success was delivered to/ }).count(), 2);
    t.is(await page.getByRole('table').count(), 0, 'no second list of deliveries');
    t.deepEqual(await barriersOn(page), []);

    await page.getByRole('link', { name: '1 other payment' }).click();
    await page.getByRole('heading', { level: 1, name: 'ada@example.com' }).waitFor();
    await page.getByRole('table', { name: 'Payments' }).getByRole('row').nth(2).waitFor();
    t.false(page.url().includes('ada'), 'no address in the link');
  },
);

test.serial(
  'a payment whose content is long, Arabic and has many refunds does not widen the page of a phone',
  async (t) => {
    const receiver = await receiverFor(t);
    const merchant = await server().createMerchant();
    const { client } = merchant;
    await client.webhookEndpoints.register({ url: `${receiver.url}/${'long-'.repeat(60)}` });
    const reference = 'r'.repeat(64);
    await client.checkout.create({
      email: `${'ada.'.repeat(15)}l@${'example.'.repeat(8)}com`,
      amount: 999_999_999_999,
      reference,
      description: 'تذكرتان لعرض المساء في المسرح الكبير '.repeat(5),
      metadata: { ['k'.repeat(40)]: 'v'.repeat(500) },
      lineItems: [{ name: 'تذكرة '.repeat(30), quantity: 1, unitAmount: 999_999_999_999 }],
    });
    await client.testHelpers.completePayment(reference);
    await client.payments.update(reference, { note: 'اتصل العميل '.repeat(150) });
    for (let number = 1; number <= 5; number += 1) await client.refunds.create(reference, { amount: number });
    const page = await openPage(t, { viewport: { width: 360, height: 640 } });
    await openDashboard(page, server(), { merchant, path: `/test/payments/${reference}` });
    await page.getByRole('button', { name: '1 webhook delivered' }).first().click();
    await page.getByRole('link', { name: /^checkout\.success was delivered to/ }).waitFor();

    t.true(await page.locator('html').evaluate(({ scrollWidth }: { scrollWidth: number }) => scrollWidth <= 360));
    t.deepEqual(await barriersOn(page), []);
    const titles = await page.getByRole('heading', { level: 2 }).allInnerTexts();
    t.deepEqual(titles, ['Timeline', 'Refunds', 'Items', 'Note', 'Details', 'Customer', 'Metadata']);
  },
);

test.serial(
  'a note is written once although its response is lost, is removed again, and a viewer only reads it',
  async (t) => {
    const merchant = await paidMerchant(server(), 500_000);
    const noteOf = async () => (await merchant.client.payments.get('order-1042')).note;
    const page = await openPage(t);
    await openDashboard(page, server(), { merchant, path: paidPath, role: 'support' });
    const dialog = page.getByRole('dialog', { name: 'Note on this payment' });
    const field = dialog.getByLabel('Note');

    await page.getByRole('button', { name: 'Add note' }).click();
    await field.fill('  Called.\nWants an aisle.  ');
    t.deepEqual(await barriersOn(page), []);
    await loseAnswers(page, { method: 'PATCH', path: paidPath.replace('/test', '/api/v1'), times: 1 });
    await dialog.getByRole('button', { name: 'Save' }).dblclick();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Note saved.').waitFor();
    t.is(await page.getByText('Wants an aisle.').innerText(), 'Called.\nWants an aisle.');
    t.is(await noteOf(), 'Called.\nWants an aisle.');

    await page.getByRole('button', { name: 'Edit note' }).click();
    t.is(await field.inputValue(), 'Called.\nWants an aisle.');
    await page.unrouteAll();
    await page.route('**/api/v1/payments/order-1042', (route) =>
      route.request().method() === 'PATCH'
        ? refuse(route, { status: 403, code: 'role_not_allowed' })
        : route.fallback(),
    );
    await field.fill('Another');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Your role does not allow this').waitFor();
    t.is(await field.inputValue(), 'Another');
    t.is(await noteOf(), 'Called.\nWants an aisle.');

    const viewer = await openPage(t);
    await openDashboard(viewer, server(), { merchant, path: paidPath, role: 'viewer' });
    await viewer.getByText('Wants an aisle.').waitFor();
    t.is(await viewer.getByRole('button', { name: /note/ }).count(), 0);

    await page.unrouteAll();
    await field.fill(' ');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Note removed.').waitFor();
    t.is(await noteOf(), null);
    await page.goto(`${server().url}/dashboard/test/settings?tab=audit`);
    await page
      .getByRole('row', { name: /Wrote a note on a payment.*order-1042/ })
      .first()
      .waitFor();
  },
);

test.serial('the link to the receipt shows what the customer sees', async (t) => {
  const merchant = await paidMerchant(server(), 500_000);
  const page = await openPage(t);
  await openDashboard(page, server(), { merchant, path: paidPath, role: 'viewer' });
  await page.getByRole('button', { name: 'Copy link to the receipt' }).waitFor();

  const [receipt] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('link', { name: 'Open the receipt' }).click(),
  ]);

  await receipt.getByRole('heading', { name: 'Already paid' }).waitFor();
  t.is(receipt.url(), (await merchant.client.payments.get('order-1042')).receiptUrl ?? 'no receipt');
});

test.serial('a payment that failed is created again with the same content and a new reference', async (t) => {
  const merchant = await server().createMerchant();
  const { checkout, payments } = merchant.client;
  const content = {
    amount: 500_000,
    description: 'Two tickets',
    metadata: { cart: '7' },
    callbackUrl: 'https://shop.example.com/thanks',
    cancelUrl: 'https://shop.example.com/cart',
    lineItems: [{ name: 'Ticket', quantity: 2, unitAmount: 250_000 }],
  };
  const { data } = await checkout.create({ ...content, email: 'ada@example.com', reference: 'order-1042' });
  for (let attempt = 1; attempt <= 3; attempt += 1) await payByForm(data.checkoutUrl, declinedCard);
  const page = await openPage(t);
  await openDashboard(page, server(), { merchant, path: paidPath });
  const dialog = page.getByRole('dialog', { name: 'Create a checkout link' });
  const make = async (typed: Record<string, string>) => {
    await page.getByRole('button', { name: 'Create again' }).click();
    for (const [label, text] of Object.entries(typed)) await dialog.getByLabel(label).fill(text);
    t.deepEqual(await barriersOn(page), []);
    await dialog.getByRole('button', { name: 'Create link' }).dblclick();
    const made = page.getByRole('dialog', { name: 'Send this link' });
    await made.waitFor();
    await page.keyboard.press('Escape');
    await made.waitFor({ state: 'detached' });
    return (await payments.list()).payments[0];
  };

  const same = await make({});
  t.like(same, { ...content, customerEmail: 'ada@example.com', currency: 'NGN', status: 'pending' });
  t.not(same?.reference, 'order-1042');
  t.like(await make({ Amount: '4000', 'Customer’s email': 'grace@example.com' }), {
    ...content,
    amount: 400_000,
    customerEmail: 'grace@example.com',
    lineItems: [],
  });
  t.is((await payments.list()).total, 3);

  await payments.cancel(String(same?.reference));
  await page.goto(`${server().url}/dashboard/test/payments/${same?.reference}`);
  await page.getByRole('button', { name: 'Create again' }).waitFor();
  const developer = await openPage(t);
  await openDashboard(developer, server(), { merchant, path: paidPath, role: 'developer' });
  await developer.getByText('Attempt 3 with Visa •••• 0002 was declined').waitFor();
  t.is(await developer.getByRole('button', { name: 'Create again' }).count(), 0);
});

test.serial(
  'the command that repeats a delivery runs as it was copied, with the signatures that were sent',
  async (t) => {
    const receiver = await receiverFor(t);
    const merchant = await server().createMerchant();
    const { client } = merchant;
    const { id, secret } = await client.webhookEndpoints.register({ url: `${receiver.url}/a?it=o'clock&b=$(id)` });
    await receiver.addSecret(secret);
    const email = "o'hara@example.com";
    await client.checkout.create({ email, amount: 500_000, reference: 'order-1042' });
    await client.testHelpers.completePayment('order-1042');
    await receiver.waitFor(1);
    const [delivery] = (await client.deliveries.list()).deliveries;
    const page = await openPage(t, laptop);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const path = `/test/deliveries/${delivery?.id}`;
    await openDashboard(page, server(), { merchant, path, role: 'developer' });

    await page.getByText('X-Service-Signature: ').waitFor();
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    const command = await page.evaluate<string>('navigator.clipboard.readText()');
    const { stdout } = await promisify(execFile)('sh', ['-c', command]);

    t.regex(stdout, /^HTTP\/1\.1 200/);
    await receiver.waitFor(2);
    const [first, second] = receiver.deliveries;
    t.is(second?.verification, 'verified');
    t.is(String(second?.body), String(first?.body));
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature', 'x-service-signature', 'content-type'])
      t.is(second?.headers[name], first?.headers[name], name);
    await page.locator('.hljs-attr', { hasText: '"customerEmail"' }).waitFor();
    t.is(
      await page.getByRole('region', { name: 'request body' }).evaluate((region) => JSON.parse(region.innerText).event),
      'checkout.success',
    );
    t.deepEqual(await barriersOn(page), []);

    await client.webhookEndpoints.rotateSecret(id);
    await page.reload();
    await page.getByText('The signatures of this attempt cannot be shown').waitFor();
    await openDashboard(page, server(), { merchant, path, role: 'viewer' });
    await page.getByText('Only administrators and developers can see signatures.').waitFor();
    t.is(await page.getByText('X-Service-Signature: ').count(), 0);
  },
);

test.serial('a transfer shows its timeline beside its details, and why it failed', async (t) => {
  const receiver = await receiverFor(t);
  const merchant = await fundedMerchant(server(), 100_000);
  await merchant.client.webhookEndpoints.register({ url: receiver.url });
  const to = { ...recipient(), name: 'غريس هوبر '.repeat(8).trim() };
  await merchant.client.transfers.create({ reference: 'payout-77', amount: 400, recipient: to });
  await waitForTransfer('completed', merchant, 'payout-77');
  const page = await openPage(t, laptop);
  await openDashboard(page, server(), { merchant, path: '/test/transfers/payout-77' });

  await page.getByText('Transfer completed').waitFor();
  await page.getByRole('button', { name: '1 webhook delivered' }).click();
  await page.getByRole('link', { name: /^transfer\.success was delivered to/ }).waitFor();
  await page.getByRole('row', { name: /^Transfer -₦4\.00/ }).waitFor();
  t.is(await page.getByRole('heading', { level: 1 }).innerText(), `₦4.00 NGN to ${to.name}`);
  t.regex(await page.title(), /^₦4\.00 · payout-77 · Test mode · /);
  t.true((await heightOf(page)) <= laptop.viewport.height);
  t.deepEqual(await barriersOn(page), []);
});

test.serial(
  'the page of an endpoint shows its health and deliveries before its details, and a missing record has its own title',
  async (t) => {
    const merchant = await server().createMerchant('Ada’s Books');
    const { id } = await merchant.client.webhookEndpoints.register({ url: 'https://shop.example.com/webhooks' });
    const page = await openPage(t, laptop);
    await openDashboard(page, server(), { merchant, path: `/test/webhooks/${id}` });

    await page.getByRole('heading', { level: 1, name: 'shop.example.com/webhooks' }).waitFor();
    await page.getByText('No attempts in the last 24 hours').waitFor();
    await page.getByRole('heading', { name: 'No deliveries yet' }).waitFor();
    t.true((await heightOf(page)) <= laptop.viewport.height);
    await page.goto(`${server().url}/dashboard/live/payments/order-7777`);
    await page.getByRole('heading', { level: 1, name: 'Payment not found' }).waitFor();
    await eventually(() => page.title(), 'Payment not found · Ada’s Books · Tillhook');
  },
);
