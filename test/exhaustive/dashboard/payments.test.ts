/** Payments in the dashboard that fail, are cancelled, or that others may not change. */
import { startReceiver } from '@tillhook/mock/receiver';
import test from 'ava';
import { barriersOn } from '../../support/browser/accessibility.ts';
import { browserForFile } from '../../support/browser/browser.ts';
import { openDashboard } from '../../support/dashboard/dashboard.ts';
import { leaveAttemptUndecided, startCheckout } from '../../support/money/payments.ts';
import { declinedCard } from '../../support/pages/checkout-page.ts';
import { payByForm } from '../../support/pages/hosted-page.ts';
import { serverForFile } from '../../support/server/tillhook.ts';

const server = serverForFile();

const openPage = browserForFile();

test.serial(
  'webhooks that cannot be sent again are named, and those that were sent are not sent a second time',
  async (t) => {
    const receiver = await startReceiver();
    t.teardown(() => receiver.stop());
    const merchant = await server().createMerchant();
    const { checkout, deliveries, testHelpers, webhookEndpoints } = merchant.client;
    await webhookEndpoints.register({ url: receiver.url });
    const { id } = await webhookEndpoints.register({ url: `${receiver.url}/removed` });
    await checkout.create({ email: 'ada@example.com', amount: 500_000, reference: 'order-1042' });
    await testHelpers.completePayment('order-1042');
    await receiver.waitFor(2);
    await webhookEndpoints.remove(id);
    const page = await openPage(t);
    await openDashboard(page, server(), { merchant, path: '/test/payments/order-1042' });

    await page.getByRole('button', { name: 'Resend webhooks' }).click();
    const dialog = page.getByRole('dialog', { name: 'Send these webhooks again?' });
    await dialog.getByRole('button', { name: 'Send again' }).click();
    await dialog
      .getByText('1 webhook was not sent, because its endpoint was removed. All others were sent again.')
      .waitFor();
    await receiver.waitFor(3);
    await dialog.getByRole('button', { name: 'Done' }).click();

    await dialog.waitFor({ state: 'detached' });
    t.is((await deliveries.list()).total, 3);

    for (const { id: left } of (await webhookEndpoints.list()).webhooks) await webhookEndpoints.remove(left);
    await page.getByRole('button', { name: 'Resend webhooks' }).click();
    await dialog.getByRole('button', { name: 'Send again' }).click();
    const alert = dialog.getByRole('alert');
    await alert.waitFor();
    t.is(await alert.innerText(), '2 webhooks were not sent, because their endpoints were removed.');
  },
);

test.serial(
  'one payment is failed, another is cancelled, and an act that is not possible any more is explained',
  async (t) => {
    const merchant = await server().createMerchant();
    await startCheckout(merchant, 'order-1042');
    const { checkoutUrl } = await startCheckout(merchant, 'order-1043');
    await payByForm(checkoutUrl, declinedCard);
    await startCheckout(merchant, 'order-1044');
    const { accessCode } = await startCheckout(merchant, 'order-1045');
    const page = await openPage(t);
    await openDashboard(page, server(), { merchant, path: '/test/payments/order-1042' });

    await page.getByRole('button', { name: 'Fail it' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Fail it' }).click();
    await page.getByRole('definition').getByText('The card was declined (card_declined)').waitFor();
    await page.getByText('No endpoint was subscribed to the event when it happened.').waitFor();
    t.is(await page.getByRole('button', { name: 'Cancel', exact: true }).count(), 0);

    await page.goto(`${server().url}/dashboard/test/payments/order-1043`);
    await page.getByText('After a declined card there are 15 minutes at most to try again.').waitFor();
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Cancel this payment?' });
    await merchant.client.testHelpers.completePayment('order-1043');
    await dialog.getByRole('button', { name: 'Cancel the payment' }).click();

    await dialog.getByRole('alert').getByText('The service refused this').waitFor();
    t.is((await merchant.client.payments.get('order-1043')).status, 'completed');

    await page.goto(`${server().url}/dashboard/test/payments/order-1045`);
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await leaveAttemptUndecided(server(), accessCode);
    await dialog.getByRole('button', { name: 'Cancel the payment' }).click();

    await dialog.getByRole('alert').getByText('money may already be moving, so nothing was cancelled').waitFor();
    t.is((await merchant.client.payments.get('order-1045')).status, 'processing');

    await page.goto(`${server().url}/dashboard/test/payments/order-1044`);
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await dialog.getByText('the event checkout.expired is sent to your endpoints').waitFor();
    await dialog.getByRole('button', { name: 'Cancel the payment' }).dblclick();
    await page.getByText('The payment is cancelled and can no longer be paid.').waitFor();
    await page.getByText('Checkout cancelled').waitFor();
    await page.getByText(/^\S+@\S+ cancelled it\. It can no longer be paid\.$/).waitFor();
    await page.getByRole('link', { name: 'checkout.expired' }).waitFor();
    await page.getByText('No endpoint was subscribed to the event when it happened.').waitFor();
    t.is((await merchant.client.payments.get('order-1044')).status, 'expired');

    await startCheckout(merchant, 'order-1046');
    await merchant.client.payments.cancel('order-1046');
    await page.goto(`${server().url}/dashboard/test/payments/order-1046`);
    await page.getByText('A program cancelled it with a key. It can no longer be paid.').waitFor();

    const declined = await startCheckout(merchant, 'order-1047');
    await payByForm(declined.checkoutUrl, declinedCard);
    await merchant.client.payments.cancel('order-1047');
    await page.goto(`${server().url}/dashboard/test/payments`);
    await page.getByRole('link', { name: 'order-1047' }).waitFor();
    const badges = (reference: string) =>
      page.getByRole('row').filter({ hasText: reference }).locator('[data-tone]').allTextContents();
    t.deepEqual(await badges('order-1046'), ['cancelled']);
    t.deepEqual(await badges('order-1047'), ['failed', 'cancelled']);
    await page.getByRole('link', { name: 'order-1047' }).click();
    await page.getByRole('term').filter({ hasText: 'Cancelled by' }).waitFor();
    await page.getByRole('definition').getByText('The merchant', { exact: true }).waitFor();
  },
);

test.serial('a viewer can read payments but not change them, and sees none of the other mode', async (t) => {
  const merchant = await server().createMerchant('🏪 متجر '.repeat(13));
  await startCheckout(merchant, 'order-1042');
  const page = await openPage(t, { viewport: { width: 320, height: 640 } });
  await openDashboard(page, server(), { merchant, path: '/test/payments', role: 'viewer' });
  await page.getByRole('link', { name: 'order-1042' }).click();

  await page.getByText('Your role is viewer').waitFor();
  await page.getByText('Checkout created').waitFor();
  t.is(await page.getByRole('button', { name: /Complete|Fail|Cancel|Resend/ }).count(), 0);
  t.true(await page.locator('html').evaluate(({ scrollWidth }: { scrollWidth: number }) => scrollWidth <= 320));
  t.deepEqual(await barriersOn(page), []);
  await page.goto(`${server().url}/dashboard/live/payments/order-1042`);

  await page.getByText('There is no such thing here').waitFor();
});
