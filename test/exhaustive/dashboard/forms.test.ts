/** Tests that every form keeps typed text and sends one call, and tests rare cases of settings and sign-in. */
import test from 'ava';
import type { Locator, Page } from 'playwright-core';
import { barriersOn } from '../../support/browser/accessibility.ts';
import { browserForFile } from '../../support/browser/browser.ts';
import {
  type ErrorAnswer,
  endSession,
  openDashboard,
  openDevelopers,
  openSettings,
  refuse,
  signInToDashboard,
  transferWalletOf,
} from '../../support/dashboard/dashboard.ts';
import { addressOf, fillPages } from '../../support/dashboard/dashboard-pages.ts';
import { eventually } from '../../support/eventually.ts';
import { makeImage } from '../../support/images/images.ts';
import { startCheckout } from '../../support/money/payments.ts';
import { creditCollection } from '../../support/money/transfers.ts';
import { waitForHeading } from '../../support/pages/checkout-page.ts';
import { unreachableUrl } from '../../support/receivers/deliveries.ts';
import { serverForFile } from '../../support/server/tillhook.ts';
import { addUser, createMerchantWithUser, password } from '../../support/users/users.ts';

const server = serverForFile();
const openPage = browserForFile();

interface Form {
  path: string;
  opens?: string;
  fields: Record<string, string>;
  /** The button that shows a review, before the button that sends. */
  review?: string;
  submit: string;
  call: { method: string; path: RegExp };
  refused: { path: string; label: string };
  done: (page: Page) => Locator;
}

const forms: Record<string, Form> = {
  'a new checkout': {
    path: '/test/payments',
    opens: 'Create a checkout link',
    fields: { Amount: '19.99', 'Customer’s email': 'grace@example.com', Description: 'Two tickets' },
    submit: 'Create link',
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
    review: 'Review',
    submit: 'Send ₦5.00 to Grace Hopper',
    call: { method: 'POST', path: /\/transfers$/ },
    refused: { path: '/recipient/name', label: 'Recipient’s name' },
    done: (page) => page.getByRole('heading', { level: 1, name: /^₦5\.00 NGN to Grace Hopper$/ }),
  },
  'an endpoint': {
    path: '/test/webhooks/$id',
    opens: 'Edit',
    fields: { Address: `${unreachableUrl}/new` },
    submit: 'Save',
    call: { method: 'PATCH', path: /\/merchant-webhooks\/[^/]+$/ },
    refused: { path: '/url', label: 'Address' },
    done: (page) => page.getByText('Endpoint updated'),
  },
  'the settings': {
    path: '/test/settings',
    fields: { Name: 'Ada & Grace', Colour: '#1f4fbf' },
    submit: 'Save',
    call: { method: 'PATCH', path: /\/settings$/ },
    refused: { path: '/name', label: 'Name' },
    done: (page) => page.getByText('Settings saved.'),
  },
  'the settings of receipts': {
    path: '/test/settings?tab=receipts',
    fields: { 'Reply-to email': 'help@shop.example.com' },
    submit: 'Save',
    call: { method: 'PATCH', path: /\/settings$/ },
    refused: { path: '/replyTo', label: 'Reply-to email' },
    done: (page) => page.getByText('Saved. Customers get no emails.'),
  },
};

for (const [name, { path, opens, fields, review, submit, call, refused, done }] of Object.entries(forms)) {
  test.serial(`${name}: typed text stays after 400, 409, 429, 500 and the end of the session`, async (t) => {
    const { email, client } = await createMerchantWithUser(server(), merchantName);
    const { id } = await client.webhookEndpoints.register({ url: unreachableUrl });
    await client.testHelpers.fundWallet({ amount: 10_000 });
    const page = await openPage(t);
    await signInToDashboard(page, server(), { email, password, path: path.replace('$id', id) });
    if (opens) await page.getByRole('button', { name: opens, exact: true }).click();
    const form = opens ? page.getByRole('dialog').first().locator('form') : page.getByRole('main').locator('form');
    for (const [label, value] of Object.entries(fields)) await form.getByLabel(label, { exact: true }).fill(value);
    const typed = await valuesOf(form);
    const answer = await answersTo(page, call);
    const click = (button: string) => form.getByRole('button', { name: button, exact: true }).click();
    const send = async () => {
      if (review) await click(review);
      await click(submit);
    };
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
    if (review) await click(submit);
    await says('The request was refused');
    if (opens && !review) await field.and(page.locator(':focus')).waitFor();
    answer.with({ status: 429, code: 'rate_limited', retryAfter: 1 });
    await send();
    await says('Wait 1 second and try again');
    answer.with({ status: 500, code: 'internal_error' });
    if (opens) await send();
    else await click('Try again');
    await says('Something went wrong');

    answer.with(null);
    await endSession(page, server());
    // A mouse click could hit the dialog for the ended session, which another request of the page may have opened.
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

async function answersTo(page: Page, { method, path }: Form['call']) {
  let change: ErrorAnswer | null = null;
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
    with(next: ErrorAnswer | null) {
      change = next;
    },
  };
}

interface Question {
  path: string;
  opens?: string | RegExp;
  fields?: Record<string, string>;
  submit: string | RegExp;
}

test.serial('a dialog whose button is clicked until the dialog closes makes one call', async (t) => {
  t.timeout(240_000);
  const merchant = await server().createMerchant();
  await creditCollection(server(), merchant, 10_000);
  const records = await fillPages(server(), merchant);
  for (const reference of ['order-2001', 'order-2002']) await startCheckout(merchant, reference);
  const payment = (reference: string) => `/test/payments/${reference}`;
  const endpoint = addressOf('webhooks/$id', records);
  const questions: Question[] = [
    { path: addressOf('deliveries/$id', records), submit: 'Resend' },
    { path: payment('order-1042'), opens: 'Resend webhooks', submit: 'Resend' },
    { path: payment('order-1042'), opens: 'Refund', submit: /^Refund/ },
    { path: payment('order-2001'), opens: 'Complete payment', submit: 'Complete payment' },
    { path: payment('order-2002'), opens: 'Cancel', submit: 'Cancel payment' },
    { path: '/test/balances', opens: 'Top up Transfer wallet', fields: { Amount: '1' }, submit: 'Move ₦1.00' },
    { path: '/test/balances', opens: 'Add test money', fields: { Amount: '1' }, submit: 'Add ₦1.00' },
    { path: '/test/products', opens: 'Add product', fields: { Name: 'Cup', Price: '1' }, submit: 'Add product' },
    { path: '/test/products', opens: 'Edit Cup', fields: { Price: '2' }, submit: 'Save' },
    {
      path: '/test/developers',
      opens: 'Create API key',
      fields: { Name: 'Shop' },
      submit: 'Create key',
    },
    { path: '/test/developers', opens: /^Roll/, submit: 'Roll key' },
    { path: '/test/developers', opens: /^Revoke the key ending/, submit: 'Revoke key' },
    { path: endpoint, opens: 'Edit', fields: { Address: 'http://127.0.0.1:9/new' }, submit: 'Save' },
    { path: `${endpoint}?tab=secret`, opens: 'Stage next secret', submit: 'Stage secret' },
    { path: `${endpoint}?tab=secret`, opens: 'Complete rotation', submit: 'Complete rotation' },
    { path: endpoint, opens: 'Remove', fields: { 'Type remove': 'remove' }, submit: 'Remove endpoint' },
  ];
  const page = await openPage(t);
  await openDashboard(page, server(), { merchant, path: '/test' });
  const paths: string[] = [];
  page.on('request', (request) => {
    if (!['GET', 'HEAD'].includes(request.method())) paths.push(new URL(request.url()).pathname);
  });

  let present = '';
  for (const question of questions) {
    // The page shows a new key until the user has copied it, so a dialog may still be open.
    const isOpen = (await page.getByRole('dialog').count()) > 0;
    if (isOpen || question.path !== present) await page.goto(`${server().url}/dashboard${question.path}`);
    present = question.path;
    const { opens } = question;
    if (opens) await page.getByRole('main').getByRole('button', { name: opens, exact: true }).first().click();
    await answerImpatiently(page, question);
    t.deepEqual(paths, [...new Set(paths)], String(question.submit));
    t.not(paths.length, 0, String(question.submit));
    paths.length = 0;
  }
});

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

test.serial('every brand colour is readable in light and dark mode, and is saved', async (t) => {
  const page = await openPage(t);
  await openSettings(page, server());
  const styleOfLink = (theme: string) =>
    page.locator(`[data-theme="${theme}"]`).getByText('Return without paying').getAttribute('style');
  await page.getByLabel('Colour', { exact: true }).fill('#ffffff');
  t.is(await styleOfLink('light'), 'color: rgb(113, 113, 113);');
  t.is(await styleOfLink('dark'), 'color: rgb(255, 255, 255);');

  await page.getByRole('button', { name: 'Save', exact: true }).click();

  await page.getByText('Settings saved.').waitFor();
  await page.reload();
  t.is(await page.getByLabel('Colour', { exact: true }).inputValue(), '#ffffff');
});

test.serial(
  'a logo of each kind is uploaded and shown, the error for a wrong file is shown beside the field, and the logo is removed',
  async (t) => {
    const page = await openPage(t);
    await openSettings(page, server());
    const choose = async (name: string, buffer: Buffer) => {
      await page.locator('input[type="file"]').setInputFiles({ name, mimeType: 'image/png', buffer });
    };
    const logo = page.getByRole('img', { name: 'The logo' });
    const addresses = new Set<string | null>();
    for (const [index, kind] of (['png', 'jpeg', 'webp'] as const).entries()) {
      await choose(`logo.${kind}`, await makeImage(kind, 600, 200 + 10 * index));
      await page.getByText('Logo saved.').last().waitFor();
      await page.reload();
      await logo.waitFor();
      t.is(await logo.evaluate((image: { naturalWidth?: number }) => image.naturalWidth), 512);
      addresses.add(await logo.getAttribute('src'));
    }
    t.is(addresses.size, 3);

    await choose('logo.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'));
    await page.getByText('Must be a picture of the kind PNG, JPEG or WebP').waitFor();
    await choose('large.png', Buffer.alloc(300 * 1024));
    await page.getByText('\u2068large.png\u2069 has 300 KiB. The limit is 256 KiB.').waitFor();
    t.is(await logo.getAttribute('src'), [...addresses].at(-1) ?? '');

    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No logo').waitFor();
    await page.getByRole('tab', { name: 'Audit log' }).click();
    await page.getByRole('row', { name: /Removed the logo/ }).waitFor();
    t.is(await page.getByRole('row', { name: /Uploaded a logo/ }).count(), 3);
  },
);

test.serial('a viewer can read the settings, and change only their own account', async (t) => {
  const merchant = await createMerchantWithUser(server(), merchantName);
  const page = await openPage(t);
  await openSettings(page, server(), { email: await addUser(server(), merchant, 'viewer') });

  t.true(await page.getByLabel('Name', { exact: true }).isDisabled());
  t.is(await page.getByRole('button', { name: 'Save' }).count(), 0);
  t.is(await page.getByRole('button', { name: 'Upload logo' }).count(), 0);
  await page.goto(`${server().url}/dashboard/test/account`);
  await page.getByRole('button', { name: 'Turn on' }).waitFor();
  t.true(await page.getByRole('button', { name: 'Turn on' }).isEnabled());
});

test.serial('if the response to a top-up is lost, the call is repeated and the wallet is funded once', async (t) => {
  const merchant = await createMerchantWithUser(server(), merchantName);
  const page = await openPage(t);
  await openDevelopers(page, server(), merchant.email);
  let lost = 0;
  await page.route('**/api/v1/test-helpers/**', async (route) => {
    if (lost > 0) return route.continue();
    lost += 1;
    await route.fetch();
    await route.abort();
  });

  await page.getByLabel('Amount').fill('10');
  await page.getByRole('button', { name: 'Fund wallet' }).click();

  await page.getByText('The Transfer wallet now has').waitFor();
  t.is(lost, 1);
  t.is(await transferWalletOf(merchant), 1_000);
});

test.serial('a viewer sees the keys and no button that changes keys; live mode has no test helpers', async (t) => {
  const merchant = await createMerchantWithUser(server(), merchantName);
  const page = await openPage(t);
  await openDevelopers(page, server(), await addUser(server(), merchant, 'viewer'));
  await page.getByRole('table', { name: 'API keys' }).waitFor();

  t.is(
    await page
      .getByRole('main')
      .getByRole('button', { name: /Create|Roll|Revoke|Fund|Advance time/ })
      .count(),
    0,
  );
  t.deepEqual(await barriersOn(page), []);
  await page.getByRole('link', { name: 'Live', exact: true }).click();
  await page.getByText('Only available in test mode.').waitFor();
});

const merchantName = 'Ada’s Books';

test.serial('after the sign-in a forged link does not lead to another site', async (t) => {
  const { email } = await createMerchantWithUser(server(), merchantName);
  const page = await openPage(t);
  await signInToDashboard(page, server(), { email, password, path: '/sign-in?from=//example.com/test' });

  await waitForHeading(page, 'Home');
  t.is(page.url(), `${server().url}/dashboard/test`);
});

test.serial('an unknown URL shows a message, and invalid filters in a URL are ignored', async (t) => {
  const page = await openWithForm(t, '/test/nowhere');
  await waitForHeading(page, 'Page not found');
  t.deepEqual(await barriersOn(page), []);
  await page.goto(`${server().url}/dashboard/neither/payments`);
  await waitForHeading(page, 'Page not found');
  t.deepEqual(await barriersOn(page), []);

  await page.goto(`${server().url}/dashboard/test/deliveries?status=lost&page=-1&from=soon&webhookId=x&event[]=y`);

  await page.getByRole('heading', { name: 'No deliveries yet' }).waitFor();
  t.is(await page.getByRole('search').count(), 0, 'a list without records has no filters');
});

for (const path of ['/sign-in', '/test/deliveries']) {
  test.serial(`${path} meets WCAG 2.2 AA on a screen of 320 pixels`, async (t) => {
    const page = path === '/sign-in' ? await openPage(t) : await openWithForm(t, path);
    await page.goto(`${server().url}/dashboard${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    t.deepEqual(await barriersOn(page), []);

    await page.setViewportSize({ width: 320, height: 640 });

    await eventually(() => page.evaluate<number>('document.documentElement.scrollWidth'), 320);
    t.deepEqual(await barriersOn(page), []);
  });
}

async function openWithForm(t: Parameters<typeof openPage>[0], path: string): Promise<Page> {
  const { email } = await createMerchantWithUser(server(), merchantName);
  const page = await openPage(t);
  await signInToDashboard(page, server(), { email, password, path });
  await page.getByRole('heading', { level: 1, name: /^(?!Sign in)/ }).waitFor();
  return page;
}
