import test from 'ava';
import { barriersOn } from '../support/browser/accessibility.ts';
import { browserForFile } from '../support/browser/browser.ts';
import { openDashboard } from '../support/dashboard/dashboard.ts';
import { eventually } from '../support/eventually.ts';
import { payByForm } from '../support/money/hosted-page.ts';
import { sendLinkForm } from '../support/money/payment-links.ts';
import { insertProducts } from '../support/money/products.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();
const openPage = browserForFile();

test.serial('a payment link is created from the search, paid, edited, stopped and started again', async (t) => {
  const merchant = await server().createMerchant();
  const { paymentLinks, payments } = merchant.client;
  const page = await openPage(t);
  await openDashboard(page, server(), { merchant, path: '/test' });
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('textbox').fill('payment link');
  await page.getByRole('dialog').getByText('Create a payment link').click();
  const creating = page.getByRole('dialog', { name: 'Create a payment link' });

  await creating.getByRole('button', { name: 'Create link' }).click();
  await creating.getByText('Enter what the customer pays for.').waitFor();
  await creating.getByLabel('Name').fill('Spring <b>fundraiser</b>');
  await creating.getByLabel('Price').selectOption('open');
  await creating.getByLabel('Minimum amount').fill('500');
  await creating.getByLabel('Suggested amount').fill('400');
  await creating.getByRole('button', { name: 'More options' }).click();
  await creating.getByLabel('End of the address').fill('Spring');
  await creating.getByRole('button', { name: 'Create link' }).click();
  await creating.getByText('Use 3 to 64 lower-case letters, digits and hyphens.').waitFor();
  const slug = `spring-${Date.now()}`;
  await creating.getByLabel('End of the address').fill(slug);
  await creating.getByRole('button', { name: 'Create link' }).click();
  await creating.locator('[aria-invalid=true]').waitFor();
  await creating.getByLabel('Suggested amount').fill('5,000');
  t.deepEqual(await barriersOn(page), []);
  await creating.getByRole('button', { name: 'Create link' }).dblclick();
  await page.getByRole('heading', { name: 'Spring <b>fundraiser</b>' }).waitFor();
  const [link, ...others] = (await paymentLinks.list()).paymentLinks;
  t.deepEqual(others, []);
  t.like(link, { slug, minAmount: 50_000, suggestedAmount: 500_000, maxAmount: null, amount: null });
  await page.getByText(`${server().url}/pay/${slug}`).waitFor();
  await page.getByRole('img', { name: 'QR code of the link' }).waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download QR code' }).click(),
  ]);
  t.is(download.suggestedFilename(), `${slug}.png`);
  await page.getByRole('heading', { name: 'No payments yet' }).waitFor();

  const { checkoutUrl } = await sendLinkForm(link?.url ?? '', { amount: '750' });
  await payByForm(checkoutUrl ?? '', '4242424242424242');
  await page.getByText('from 1 payment').waitFor();
  await page.getByRole('link', { name: 'ada@example.com' }).click();
  await page.getByRole('link', { name: 'View payment link' }).click();
  await page.getByText('from 1 payment').waitFor();
  t.is((await payments.list({ paymentLinkId: link?.id ?? '' })).total, 1);

  await page.getByRole('button', { name: 'Edit' }).click();
  const editing = page.getByRole('dialog', { name: 'Edit payment link' });
  t.is(await editing.getByLabel('Minimum amount (NGN)').inputValue(), '500.00');
  await editing.getByLabel('Minimum amount (NGN)').fill('');
  await editing.getByLabel('Maximum number of payments').fill('1');
  await editing.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Limit reached').waitFor();
  t.like(await paymentLinks.get(link?.id ?? ''), { minAmount: null, maxPayments: 1, status: 'limit_reached' });

  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop link' }).click();
  await page.getByText('Stopped').waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  t.deepEqual(await barriersOn(page), []);
  t.is((await sendLinkForm(link?.url ?? '', { amount: '750' })).checkoutUrl, null);
  await page.getByRole('button', { name: 'Start again' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Start link' }).click();
  await page.getByRole('button', { name: 'Stop' }).waitFor();
  t.true((await paymentLinks.get(link?.id ?? '')).isActive);
});

test.serial('a payment link for one of many products lets the customer choose the quantity', async (t) => {
  const merchant = await server().createMerchant();
  await insertProducts(server(), merchant, 120);
  await merchant.client.products.create({ name: 'Enamel mug', price: 450_000 });
  const page = await openPage(t);
  await openDashboard(page, server(), { merchant, path: '/test/payment-links' });
  await page.getByRole('heading', { name: 'No payment links yet' }).waitFor();

  await page.getByRole('button', { name: 'Create a payment link' }).click();
  const creating = page.getByRole('dialog', { name: 'Create a payment link' });
  await creating.getByLabel('Name').fill('Mugs');
  await creating.getByLabel('Price').selectOption('product');
  await creating.getByRole('button', { name: 'Create link' }).click();
  await creating.getByText('Choose a product.').waitFor();
  const picker = creating.getByRole('combobox', { name: 'Product' });
  await picker.fill('no such product');
  await creating.getByText('No product has this name').waitFor();
  await picker.fill('amel');
  t.deepEqual(await creating.getByRole('listbox').getByRole('option').allTextContents(), ['Enamel mug, ₦4,500.00']);
  t.deepEqual(await barriersOn(page), []);
  await picker.press('ArrowDown');
  await picker.press('Enter');
  await creating.getByLabel('Let the customer choose the quantity').check();
  await creating.getByLabel('Maximum quantity').fill('5');
  await creating.getByRole('button', { name: 'Create link' }).click();
  await page.getByText('the customer chooses up to 5').waitFor();

  t.like((await merchant.client.paymentLinks.list()).paymentLinks[0], { maxQuantity: 5, quantity: null });
});

test.serial(
  'each link stands under the tab of its status, and leads to its payments, which can be filtered further',
  async (t) => {
    const merchant = await server().createMerchant();
    const { client } = merchant;
    const gift = await client.paymentLinks.create({ name: 'Gift', amount: 5_000 });
    const over = await client.paymentLinks.create({ name: 'Over', amount: 5_000 });
    await server().database.query('update payment_link set expires_at = now() where id = $1', [over.id]);
    await client.checkout.create({ email: 'grace@example.com', amount: 700 });
    const { checkoutUrl } = await sendLinkForm(gift.url, {});
    await payByForm(checkoutUrl ?? '', '4242424242424242');
    const page = await openPage(t);
    await openDashboard(page, server(), { merchant, path: '/test/payment-links' });
    const tab = (name: string) => page.getByRole('navigation', { name: 'Status' }).getByRole('link', { name });
    const rows = page.getByRole('main').getByRole('link', { name: /^(Gift|Over)$/ });

    await tab('Active').click();
    await page.waitForURL('**/payment-links?status=active');
    await eventually(() => rows.allTextContents(), ['Gift']);
    await tab('Expired').click();
    await eventually(() => rows.allTextContents(), ['Over']);
    await tab('Limit reached').click();
    await page.getByRole('heading', { name: 'No payment links match' }).waitFor();
    t.deepEqual(await barriersOn(page), []);
    await page.goto(`${server().url}/dashboard/test/payment-links/${over.id}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Over and done');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Over and done' }).waitFor();

    await page.goto(`${server().url}/dashboard/test/payment-links/${gift.id}`);
    await page.getByRole('link', { name: 'See its payments' }).click();
    await page.waitForURL(`**/test/payments?paymentLinkId=${gift.id}`);
    await page.getByRole('button', { name: 'Payment link: Gift' }).waitFor();
    await eventually(() => page.getByRole('table', { name: 'Payments' }).locator('tbody tr').count(), 1);
    t.deepEqual(await barriersOn(page), []);
    await page.getByRole('button', { name: 'Remove filter Payment link' }).click();
    await eventually(() => page.getByRole('table', { name: 'Payments' }).locator('tbody tr').count(), 2);
  },
);

test.serial('a viewer reads payment links and changes none', async (t) => {
  const merchant = await server().createMerchant();
  const { id } = await merchant.client.paymentLinks.create({ name: 'Advice', amount: 5 });
  const page = await openPage(t);
  await openDashboard(page, server(), { merchant, role: 'viewer', path: `/test/payment-links/${id}` });

  await page.getByRole('button', { name: 'Copy link' }).first().waitFor();

  t.is(await page.getByRole('button', { name: /^(Stop|Edit)$/ }).count(), 0);
});
