/** Every form of the dashboard keeps what was typed, makes one call however often its button is clicked, and acts on what it was opened for. */
import test from 'ava';
import type { Locator, Page } from 'playwright-core';
import { browserForFile } from '../../support/browser/browser.ts';
import {
  endSession,
  openDashboard,
  type Refusal,
  refuse,
  signInToDashboard,
} from '../../support/dashboard/dashboard.ts';
import { addressOf, fillPages } from '../../support/dashboard/dashboard-pages.ts';
import { startCheckout } from '../../support/money/payments.ts';
import { creditCollection } from '../../support/money/transfers.ts';
import { unreachableUrl } from '../../support/receivers/deliveries.ts';
import { serverForFile } from '../../support/server/tillhook.ts';
import { createMerchantWithUser, password } from '../../support/users/users.ts';

const server = serverForFile();

const openPage = browserForFile();

interface Form {
  /** The page of the form; `$id` stands for an endpoint. */
  path: string;
  /** The button that opens the form; omitted for a form that is part of its page. */
  opens?: string;
  fields: Record<string, string>;
  submit: string;
  call: { method: string; path: RegExp };
  /** A field, by its name in the contract and by its label. */
  refused: { path: string; label: string };
  done: (page: Page) => Locator;
}

const forms: Record<string, Form> = {
  'a new checkout': {
    path: '/test/payments',
    opens: 'Create a checkout link',
    fields: { Amount: '19.99', 'Customer’s email': 'grace@example.com', Description: 'Two tickets' },
    submit: 'Create the link',
    call: { method: 'POST', path: /\/checkout$/ },
    refused: { path: '/email', label: 'Customer’s email' },
    done: (page) => page.getByRole('dialog', { name: 'Send this link' }),
  },
  'a new transfer': {
    path: '/test/transfers',
    opens: 'Send money',
    fields: {
      Amount: '5',
      'Recipient’s name': 'Grace Hopper',
      'Account number or IBAN': '0123456789',
      'Bank code': '058',
    },
    submit: 'Send it',
    call: { method: 'POST', path: /\/transfers$/ },
    refused: { path: '/recipient/name', label: 'Recipient’s name' },
    done: (page) => page.getByRole('heading', { level: 1, name: 'Transfer', exact: true }),
  },
  'an endpoint': {
    path: '/test/webhooks/$id',
    opens: 'Edit',
    fields: { Address: `${unreachableUrl}/new` },
    submit: 'Save',
    call: { method: 'PATCH', path: /\/merchant-webhooks\/[^/]+$/ },
    refused: { path: '/url', label: 'Address' },
    done: (page) => page.getByText('The endpoint is changed'),
  },
  'the settings': {
    path: '/test/settings',
    fields: { Name: 'Ada & Grace', Colour: '#1f4fbf' },
    submit: 'Save',
    call: { method: 'PATCH', path: /\/settings$/ },
    refused: { path: '/name', label: 'Name' },
    done: (page) => page.getByText('The settings are saved.'),
  },
};

for (const [name, { path, opens, fields, submit, call, refused, done }] of Object.entries(forms)) {
  test.serial(`${name}: typed text stays after 400, 409, 429, 500 and the end of the session`, async (t) => {
    const { email, client } = await createMerchantWithUser(server(), 'Ada’s Books');
    const { id } = await client.webhookEndpoints.register({ url: unreachableUrl });
    await client.testHelpers.fundWallet({ amount: 10_000 });
    const page = await openPage(t);
    await signInToDashboard(page, server(), { email, password, path: path.replace('$id', id) });
    if (opens) await page.getByRole('button', { name: opens, exact: true }).click();
    const form = opens ? page.getByRole('dialog').first().locator('form') : page.getByRole('main').locator('form');
    for (const [label, value] of Object.entries(fields)) await form.getByLabel(label, { exact: true }).fill(value);
    const typed = await valuesOf(form);
    const answer = await answersTo(page, call);
    const send = (button = submit) => form.getByRole('button', { name: button, exact: true }).click();
    const says = async (words: string) => {
      await form.getByText(words).waitFor();
      t.deepEqual(await valuesOf(form), typed, words);
    };

    answer.with({
      status: 400,
      code: 'validation_failed',
      details: [{ path: refused.path, message: 'is not taken today' }],
    });
    await send();
    await says('Is not taken today.');
    answer.with({
      status: 400,
      code: 'validation_failed',
      details: [{ path: refused.path, message: 'is not written as it must be' }],
    });
    await send();
    await says('It has a character that is not accepted here, or is too short or too long.');
    const field = form.getByLabel(refused.label, { exact: true });
    t.is(await field.getAttribute('aria-invalid'), 'true');
    if (opens) await field.and(page.locator(':focus')).waitFor();
    answer.with({ status: 409, code: 'idempotency_key_reused' });
    await field.press('Enter');
    await says('The service refused this');
    if (opens) await field.and(page.locator(':focus')).waitFor();
    answer.with({ status: 429, code: 'rate_limited', retryAfter: 1 });
    await send();
    await says('The service asks to wait for 1 second');
    answer.with({ status: 500, code: 'internal_error' });
    if (opens) await send();
    else await send('Try again');
    await says('The service failed');

    answer.with(null);
    await endSession(page, server());
    // Not by mouse: the page also calls by itself, so the dialog for the ended session may already cover the button.
    await form.getByRole('button', { name: 'Try again', exact: true }).dispatchEvent('click');
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByLabel('Password', { exact: true }).waitFor();
    t.deepEqual(await valuesOf(form), typed);
    await dialog.getByLabel('Password', { exact: true }).fill(password);
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();

    await done(page).waitFor();
    t.is(answer.carriedOut.length, 1);
  });
}

function valuesOf(form: Locator): Promise<string[]> {
  const fields = form.locator(':is(input, textarea, select):not([type=hidden])');
  return fields.evaluateAll((all: { value: string }[]) => all.map(({ value }) => value));
}

/**
 * Changes the answers to such calls on their way to the page, and counts the calls that the service has carried out.
 */
async function answersTo(page: Page, { method, path }: Form['call']) {
  let change: Refusal | null = null;
  const carriedOut: number[] = [];
  await page.route(path, async (route) => {
    if (route.request().method() !== method) return route.continue();
    if (!change) {
      const response = await route.fetch();
      if (response.ok()) carriedOut.push(response.status());
      return route.fulfill({ response });
    }
    await refuse(route, change);
  });
  return {
    carriedOut,
    with(next: Refusal | null) {
      change = next;
    },
  };
}

interface Question {
  path: string;
  /** The button that opens the dialog; omitted for a button of the page itself. */
  opens?: string | RegExp;
  fields?: Record<string, string>;
  submit: string;
}

test.serial('a dialog whose button is clicked until it closes makes one call', async (t) => {
  t.timeout(240_000);
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
