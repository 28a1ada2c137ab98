/** Many clicks on the button of a dialog make only one call. */
import test from 'ava';
import type { Page } from 'playwright-core';
import { browserForFile } from '../support/browser/browser.ts';
import { openDashboard } from '../support/dashboard/dashboard.ts';
import { addressOf, fillPages } from '../support/dashboard/dashboard-pages.ts';
import { startCheckout } from '../support/money/payments.ts';
import { creditCollection } from '../support/money/transfers.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();
const openPage = browserForFile();

interface Question {
  path: string;
  /** The button that opens the dialog; omitted for a button of the page itself. */
  opens?: string | RegExp;
  fields?: Record<string, string>;
  submit: string;
}

test.serial('a dialog whose button is clicked until it closes makes one call', async (t) => {
  const merchant = await server().createMerchant();
  await creditCollection(server(), merchant, 10_000);
  const records = await fillPages(server(), merchant);
  for (const reference of ['order-2001', 'order-2002']) await startCheckout(merchant, reference);
  const payment = (reference: string) => `/test/payments/${reference}`;
  const endpoint = addressOf('webhooks/$id', records);
  const questions: Question[] = [
    { path: addressOf('deliveries/$id', records), submit: 'Send again' },
    { path: payment('order-1042'), opens: 'Resend webhooks', submit: 'Send again' },
    { path: payment('order-1042'), opens: 'Refund', submit: 'Refund it' },
    { path: payment('order-2001'), opens: 'Complete it', submit: 'Complete it' },
    { path: payment('order-2002'), opens: 'Cancel', submit: 'Cancel the payment' },
    { path: '/test/balances', opens: 'Top up the Transfer wallet', fields: { Amount: '1' }, submit: 'Move it' },
    { path: '/test/balances', opens: 'Add test money', fields: { Amount: '1' }, submit: 'Add it' },
    { path: '/test/products', opens: 'Add a product', fields: { Name: 'Cup', Price: '1' }, submit: 'Add it' },
    { path: '/test/products', opens: 'Edit Cup', fields: { Price: '2' }, submit: 'Save' },
    { path: '/test/products', opens: 'Archive Cup', submit: 'Archive' },
    { path: '/test/products', opens: 'Bring back Cup', submit: 'Bring back' },
    {
      path: '/test/developers',
      opens: 'Create a key',
      fields: { 'What is it for?': 'Shop' },
      submit: 'Create the key',
    },
    { path: '/test/developers', opens: /^Roll/, submit: 'Create its successor' },
    { path: '/test/developers', opens: /^Revoke the key that/, submit: 'Revoke the key' },
    { path: endpoint, opens: 'Edit', fields: { Address: 'http://127.0.0.1:9/new' }, submit: 'Save' },
    { path: `${endpoint}?tab=secret`, opens: 'Stage a next secret', submit: 'Stage it' },
    { path: `${endpoint}?tab=secret`, opens: 'Complete the rotation', submit: 'Complete it' },
    { path: endpoint, opens: 'Remove', fields: { 'Type remove': 'remove' }, submit: 'Remove endpoint' },
  ];
  const page = await openPage(t);
  await openDashboard(page, server(), { merchant, path: '/test' });
  const asked: string[] = [];
  page.on('request', (request) => {
    if (!['GET', 'HEAD'].includes(request.method())) asked.push(new URL(request.url()).pathname);
  });

  let present = '';
  for (const question of questions) {
    // A new key stays on the page until it was copied.
    const isOpen = (await page.getByRole('dialog').count()) > 0;
    if (isOpen || question.path !== present) await page.goto(`${server().url}/dashboard${question.path}`);
    present = question.path;
    const { opens } = question;
    if (opens) await page.getByRole('main').getByRole('button', { name: opens, exact: true }).first().click();
    await answerImpatiently(page, question);
    t.deepEqual(asked, [...new Set(asked)], question.submit);
    t.not(asked.length, 0, question.submit);
    asked.length = 0;
  }
});

/** Fills the dialog in, and clicks its button twice again and again until the button is gone. */
async function answerImpatiently(page: Page, { opens, fields = {}, submit }: Question): Promise<void> {
  const dialog = page.getByRole(opens ? 'dialog' : 'main');
  for (const [label, value] of Object.entries(fields)) await dialog.getByLabel(label).first().fill(value);
  const button = dialog.getByRole('button', { name: submit, exact: true });
  await button.evaluate(
    (element: { click(): void; isConnected: boolean }) =>
      new Promise<void>((resolve) => {
        const clicking = setInterval(() => {
          element.click();
          element.click();
          if (element.isConnected) return;
          clearInterval(clicking);
          resolve();
        }, 1);
      }),
  );
}
