/** More of the settings, of the page for developers and of the sign-in. */
import test, { type ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { barriersOn } from '../../support/browser/accessibility.ts';
import { browserForFile } from '../../support/browser/browser.ts';
import { signInToDashboard } from '../../support/dashboard/dashboard.ts';
import { eventually } from '../../support/eventually.ts';
import { makeImage } from '../../support/images/images.ts';
import { waitForHeading } from '../../support/pages/checkout-page.ts';
import { serverForFile, type TestMerchant } from '../../support/server/tillhook.ts';
import { addUser, createMerchantWithUser, password } from '../../support/users/users.ts';

const server = serverForFile();

const openPage = browserForFile();

const name = 'Ada’s Books';

test.serial('a colour of any kind is shown readable in light and in dark mode, and saved', async (t) => {
  const page = await openSettings(t);
  const styleOfLink = (theme: string) =>
    page.locator(`[data-theme="${theme}"]`).getByText('Return without paying').getAttribute('style');
  await page.getByLabel('Colour', { exact: true }).fill('#ffffff');
  t.is(await styleOfLink('light'), 'color: rgb(113, 113, 113);');
  t.is(await styleOfLink('dark'), 'color: rgb(255, 255, 255);');

  await page.getByRole('button', { name: 'Save' }).click();

  await page.getByText('The settings are saved.').waitFor();
  await page.reload();
  t.is(await page.getByLabel('Colour', { exact: true }).inputValue(), '#ffffff');
});

test.serial(
  'a logo of each kind is uploaded and shown, a wrong file is refused beside it, and it is removed',
  async (t) => {
    const page = await openSettings(t);
    const choose = async (name: string, buffer: Buffer) => {
      await page.locator('input[type="file"]').setInputFiles({ name, mimeType: 'image/png', buffer });
    };
    const logo = page.getByRole('img', { name: 'The logo' });
    const addresses = new Set<string | null>();
    for (const [index, kind] of (['png', 'jpeg', 'webp'] as const).entries()) {
      await choose(`logo.${kind}`, await makeImage(kind, 600, 200 + 10 * index));
      await page.getByText('The logo is saved.').last().waitFor();
      await page.reload();
      await logo.waitFor();
      t.is(await logo.evaluate((image: { naturalWidth?: number }) => image.naturalWidth), 512);
      addresses.add(await logo.getAttribute('src'));
    }
    t.is(addresses.size, 3);

    await choose('logo.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'));
    await page.getByText('Must be a picture of the kind PNG, JPEG or WebP').waitFor();
    await choose('large.png', Buffer.alloc(300 * 1024));
    await page.getByText('\u2068large.png\u2069 has 300 KiB, and 256 are allowed.').waitFor();
    t.is(await logo.getAttribute('src'), [...addresses].at(-1) ?? '');

    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No logo').waitFor();
    await page.getByRole('tab', { name: 'Audit log' }).click();
    await page.getByRole('row', { name: /Removed the logo/ }).waitFor();
    t.is(await page.getByRole('row', { name: /Uploaded a logo/ }).count(), 3);
  },
);

test.serial('a viewer can read the settings, and change only their own sign-in', async (t) => {
  const merchant = await createMerchantWithUser(server(), name);
  const page = await openSettings(t, { email: await addUser(server(), merchant, 'viewer') });

  t.true(await page.getByLabel('Name', { exact: true }).isDisabled());
  t.is(await page.getByRole('button', { name: 'Save' }).count(), 0);
  t.is(await page.getByRole('button', { name: 'Upload a logo' }).count(), 0);
  await page.getByRole('tab', { name: 'Sign-in' }).click();
  t.true(await page.getByRole('button', { name: 'Turn it on' }).isEnabled());
});

async function openSettings(t: ExecutionContext, { tab = '', email = '' } = {}): Promise<Page> {
  const page = await openPage(t);
  const who = email || (await createMerchantWithUser(server(), name)).email;
  await signInToDashboard(page, server(), { email: who, password, path: `/test/settings${tab && `?tab=${tab}`}` });
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  await page.getByRole('heading', { level: 2 }).first().waitFor();
  return page;
}

const path = '/test/developers';

test.serial('if the answer to funding a wallet is lost, the call is repeated and the money comes once', async (t) => {
  const merchant = await createMerchantWithUser(server(), 'Ada’s Books');
  const page = await openSignedIn(t, merchant.email);
  let lost = 0;
  await page.route('**/api/v1/test-helpers/**', async (route) => {
    if (lost > 0) return route.continue();
    lost += 1;
    await route.fetch();
    await route.abort();
  });

  await page.getByLabel('Amount').fill('10');
  await page.getByRole('button', { name: 'Fund it' }).click();

  await page.getByText('The Transfer wallet has').waitFor();
  t.is(lost, 1);
  t.is(await transferWalletOf(merchant), 1_000);
});

test.serial('a viewer sees the keys and no button that changes them; live mode has no test helpers', async (t) => {
  const merchant = await createMerchantWithUser(server(), 'Ada’s Books');
  const page = await openSignedIn(t, await addUser(server(), merchant, 'viewer'));
  await page.getByRole('table', { name: 'API keys' }).waitFor();

  t.is(
    await page
      .getByRole('main')
      .getByRole('button', { name: /Create|Roll|Revoke|Fund|Let it pass/ })
      .count(),
    0,
  );
  t.deepEqual(await barriersOn(page), []);
  await page.getByRole('link', { name: 'Live', exact: true }).click();
  await page.getByText('They exist in test mode alone.').waitFor();
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

const merchantName = 'Ada’s Books';

test.serial('after the sign-in a forged link does not lead to another site', async (t) => {
  const { email } = await createMerchantWithUser(server(), merchantName);
  const page = await openPage(t);
  await signInToDashboard(page, server(), { email, password, path: '/sign-in?from=//example.com/test' });

  await waitForHeading(page, 'Home');
  t.is(page.url(), `${server().url}/dashboard/test`);
});

test.serial('an unknown address gives a message, and invalid filters in an address are ignored', async (t) => {
  const page = await openWithForm(t, '/test/nowhere');
  await waitForHeading(page, 'There is no such page');
  t.deepEqual(await barriersOn(page), []);
  await page.goto(`${server().url}/dashboard/neither/payments`);
  await waitForHeading(page, 'There is no such page');
  t.deepEqual(await barriersOn(page), []);

  await page.goto(`${server().url}/dashboard/test/deliveries?status=lost&page=-1&from=soon&webhookId=x&event[]=y`);

  await page.getByRole('heading', { name: 'Nothing was sent yet' }).waitFor();
  t.is(await page.getByLabel('Status').inputValue(), '');
});

for (const path of ['/sign-in', '/test/deliveries']) {
  test.serial(`${path} meets WCAG 2.2 AA, and is 320 pixels narrow`, async (t) => {
    const page = path === '/sign-in' ? await openPage(t) : await openWithForm(t, path);
    await page.goto(`${server().url}/dashboard${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    t.deepEqual(await barriersOn(page), []);

    await page.setViewportSize({ width: 320, height: 640 });

    await eventually(() => page.evaluate<number>('document.documentElement.scrollWidth'), 320);
    t.deepEqual(await barriersOn(page), []);
  });
}

/** Opens this page for a signed-in user. */
async function openWithForm(t: Parameters<typeof openPage>[0], path: string): Promise<Page> {
  const { email } = await createMerchantWithUser(server(), merchantName);
  const page = await openPage(t);
  await signInToDashboard(page, server(), { email, password, path });
  await page.getByRole('heading', { level: 1, name: /^(?!Sign in)/ }).waitFor();
  return page;
}
