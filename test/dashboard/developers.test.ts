/** The page for developers: keys, the quick start, and acts of test mode. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { withServiceUrl } from '@tillhook/openapi/service-address';
import test, { type ExecutionContext } from 'ava';
import type { Locator, Page } from 'playwright-core';
import { languages, wholeProgram } from '../../docs/quick-start/languages.ts';
import { barriersOn } from '../support/browser/accessibility.ts';
import { browserForFile } from '../support/browser/browser.ts';
import { signInToDashboard } from '../support/dashboard/dashboard.ts';
import { startCheckout } from '../support/money/payments.ts';
import { quickStartFolder } from '../support/programs/quick-start.ts';
import { serverForFile, type TestMerchant } from '../support/server/tillhook.ts';
import { createMerchantWithUser, password } from '../support/users/users.ts';

const server = serverForFile();

const openPage = browserForFile();

const path = '/test/developers';

test.serial('a new key is shown once, works, and stands in the quick start, whose commands work', async (t) => {
  const page = await openSignedIn(t);
  await page.getByRole('button', { name: 'Create a key', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('What is it for?').fill('Web shop');
  await dialog.getByLabel('Only what is checked').check();
  await dialog.getByRole('button', { name: 'Create the key' }).click();
  await dialog.getByText('Choose at least one.').waitFor();
  await dialog.getByLabel('Create and cancel checkouts').check();
  t.deepEqual(await barriersOn(page), []);
  await dialog.getByRole('button', { name: 'Create the key' }).click();
  const key = (await dialog.locator('pre').textContent()) ?? '';

  await dialog.getByRole('button', { name: 'Done' }).click();
  await dialog.getByText('You have not copied the key yet').waitFor();
  t.deepEqual(await barriersOn(page), []);
  await dialog.getByRole('button', { name: 'Copy the key' }).click();
  await dialog.getByRole('button', { name: 'Done' }).click();

  await dialog.waitFor({ state: 'detached' });
  t.regex((await rowOf(page, 'Web shop').textContent()) ?? '', /Create and cancel checkouts.*Never/);
  const [keep, ask, create] = await codeOn(page);
  t.is(keep, `KEY=${key}`);
  t.is(await page.getByText('This key may not create a checkout').count(), 0);
  t.is(JSON.parse(await run([keep, ask])).merchant.name, 'Ada’s Books');
  t.regex(JSON.parse(await run([keep, create])).data.checkoutUrl, /\/checkout\//);

  await page.getByRole('button', { name: 'Create a key', exact: true }).click();
  await dialog.getByLabel('Only what is checked').check();
  await dialog.getByLabel('Read products').check();
  await dialog.getByRole('button', { name: 'Create the key' }).click();
  await dialog.getByRole('button', { name: 'Copy the key' }).click();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByText('This key may not create a checkout').waitFor();
});

test.serial('the quick start has the program of each language, which works with the lines before it', async (t) => {
  const page = await openSignedIn(t);
  await page.getByRole('button', { name: 'Create a key for the samples' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Create the key' }).click();
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
  t.regex(await run([keep, `python3 - <<'END'`, program, 'END']), /\/checkout\//);
});

test.serial('a rolled key shows when it ends, and its successor is revoked after a confirmation', async (t) => {
  const page = await openSignedIn(t);
  await rowOf(page, 'No name').getByRole('button', { name: 'Roll' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('For one more hour').check();
  await dialog.getByRole('button', { name: 'Create its successor' }).click();
  const successor = (await dialog.locator('pre').textContent()) ?? '';
  await dialog.getByRole('button', { name: 'Copy the key' }).click();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('row', { name: /ends in 59 minutes|ends in 1 hour/ }).waitFor();

  t.deepEqual((await codeOn(page))[0], `KEY=${successor}`);
  await page.getByRole('button', { name: `Revoke the key that ends in ${successor.slice(-4)}` }).click();
  await dialog.getByText(`${successor.slice(0, 12)}…${successor.slice(-4)}`).waitFor();
  await dialog.getByRole('button', { name: 'Revoke the key' }).click();

  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Show 1 ended key' }).click();
  await page.getByRole('table', { name: 'Ended API keys' }).getByText('revoked').waitFor();
  t.is((await server().request('/api/v1/me', { key: successor })).status, 401);
  t.is((await codeOn(page))[0], 'KEY=sk_test_…');
});

test.serial('a payment is completed by its reference, and two clicks fund a wallet once', async (t) => {
  const merchant = await createMerchantWithUser(server(), 'Ada’s Books');
  await startCheckout(merchant, 'order-1042');
  const page = await openSignedIn(t, merchant.email);

  await page.getByLabel('Reference of a pending payment').fill('order-1042');
  await page.getByRole('button', { name: 'Complete it' }).click();
  await page.getByRole('status').filter({ hasText: 'order-1042 is now completed' }).waitFor();
  await page.getByRole('button', { name: 'Complete it' }).click();
  await page.getByText('The service refused this').waitFor();
  t.deepEqual(await barriersOn(page), []);

  await page.getByLabel('Amount').fill('1,000.50');
  await page.getByRole('button', { name: 'Fund it' }).dblclick();

  await page.getByText('The Transfer wallet has').waitFor();
  t.is(await transferWalletOf(merchant), 100_050);
});

test.serial('time passes by a button or as typed, and the page says what came nearer, with links', async (t) => {
  const merchant = await createMerchantWithUser(server(), 'Ada’s Books');
  await startCheckout(merchant, 'order-1042');
  await startCheckout(merchant, 'order-1043');
  const page = await openSignedIn(t, merchant.email);

  await page.getByRole('button', { name: '1 hour', exact: true }).click();
  await page.getByText('the expiry of 2 checkouts').waitFor();
  t.is((await merchant.client.payments.get('order-1042')).status, 'pending');
  await page.getByLabel('Or as much as').fill('31');
  await page.getByLabel('Unit').selectOption('days');
  await page.getByRole('button', { name: 'Let it pass' }).click();
  await page.getByText('At most 30 days can pass at once.').waitFor();
  t.deepEqual(await barriersOn(page), []);
  await page.getByLabel('Or as much as').fill('0.99');
  await page.getByRole('button', { name: 'Let it pass' }).dblclick();

  await page.getByText('the expiry of 2 checkouts').waitFor();
  t.is((await merchant.client.payments.get('order-1042')).status, 'expired');
  await page.getByRole('button', { name: '1 day', exact: true }).click();
  await page.getByText('No deadline was waiting.').waitFor();
  await page.getByLabel('Or as much as').fill('soon');
  await page.getByRole('button', { name: 'Let it pass' }).click();
  await page.getByText('Type a number.').waitFor();
});

async function openSignedIn(t: ExecutionContext, email?: string): Promise<Page> {
  const page = await openPage(t);
  const who = email ?? (await createMerchantWithUser(server(), 'Ada’s Books')).email;
  await signInToDashboard(page, server(), { email: who, password, path });
  await page.getByRole('heading', { level: 1, name: 'Developers' }).waitFor();
  return page;
}

async function transferWalletOf({ client }: TestMerchant): Promise<number | undefined> {
  const { wallets } = await client.wallets.list();
  return wallets.find(({ kind }) => kind === 'transfer')?.available;
}

function rowOf(page: Page, text: string): Locator {
  return page.getByRole('row').filter({ hasText: text });
}

function codeOn(page: Page): Promise<string[]> {
  return page.getByRole('tabpanel').locator('pre').allTextContents();
}

/** Returns the output of these lines in a shell. */
async function run(lines: readonly (string | undefined)[]): Promise<string> {
  return (await promisify(execFile)('sh', ['-c', lines.join('\n')])).stdout;
}
