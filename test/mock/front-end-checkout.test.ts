import './unobserved.ts';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Tillhook } from '@tillhook/sdk';
import test, { type ExecutionContext } from 'ava';
import { barriersOn } from '../support/browser/accessibility.ts';
import { browserForFile } from '../support/browser/browser.ts';
import { startReceiver } from '../support/receivers/receiver.ts';
import { startMockInRun } from '../support/shared-fixtures.ts';

const openPage = browserForFile();

const shopPage = (api: string) => `<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,">
<h1></h1><button>Buy</button>
<script type="module">
  const { pathname, searchParams } = new URL(location.href);
  const headers = { Authorization: 'Bearer sk_test_mock', 'Content-Type': 'application/json' };
  document.querySelector('h1').textContent =
    pathname === '/basket' ? 'Your basket' : 'Order ' + searchParams.get('reference') + ' is ' + searchParams.get('status');
  document.querySelector('button').onclick = async () => {
    const order = { email: 'ada@example.com', amount: 500000, reference: 'order-1', description: 'Two books',
      callbackUrl: location.origin + '/thanks?cart=7', cancelUrl: location.origin + '/basket/left' };
    const answer = await fetch('${api}/api/v1/payments/checkout', { method: 'POST', headers, body: JSON.stringify(order) });
    location.href = (await answer.json()).data.checkoutUrl;
  };
</script>`;

async function start(t: ExecutionContext) {
  const mock = await startMockInRun();
  const receiver = await startReceiver();
  const shop = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html').end(shopPage(mock.url));
  }).listen(0, '127.0.0.1');
  await once(shop, 'listening');
  t.teardown(() => {
    shop.closeAllConnections();
    shop.close();
    return Promise.all([mock.stop(), receiver.stop()]);
  });
  const client = new Tillhook('sk_test_mock', { baseUrl: mock.url });
  const { secret } = await client.webhookEndpoints.register({ url: receiver.url });
  await receiver.addSecret(secret);
  return { mock, receiver, client, shopUrl: `http://127.0.0.1:${(shop.address() as AddressInfo).port}` };
}

test.serial('a customer pays in the browser, and the shop receives a verified event checkout.success', async (t) => {
  const { mock, receiver, client, shopUrl } = await start(t);
  const page = await openPage(t, { mayCall: new URL(mock.url).origin });

  await page.goto(`${shopUrl}/basket`);
  await page.getByRole('button', { name: 'Buy' }).click();
  await page.getByRole('heading', { name: '₦5,000.00' }).waitFor();
  t.deepEqual(await barriersOn(page), []);
  await page.getByRole('button', { name: 'Pay' }).click();
  await page.waitForURL(`${shopUrl}/**`);

  t.is(await page.getByRole('heading').textContent(), 'Order order-1 is completed');
  t.is(page.url(), `${shopUrl}/thanks?cart=7&reference=order-1&status=completed`);
  const [delivery] = await receiver.waitFor(1);
  t.like(delivery, { verification: 'verified', headers: { 'x-service-event': 'checkout.success' } });
  t.is((await client.payments.get('order-1')).status, 'completed');
});

test.serial(
  'without JavaScript, a customer leaves after a declined card, and the shop receives the event checkout.failed',
  async (t) => {
    const { receiver, client, shopUrl } = await start(t);
    const { data } = await client.checkout.create({
      email: 'ada@example.com',
      amount: 500,
      cancelUrl: `${shopUrl}/basket`,
    });
    const page = await openPage(t, { javaScriptEnabled: false });

    await page.goto(data.checkoutUrl);
    await page.getByRole('button', { name: 'declined' }).click();
    await page.getByText('2 attempts are left').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.waitForURL(`${shopUrl}/**`);

    t.is(page.url(), `${shopUrl}/basket?reference=${data.reference}&status=failed`);
    const [delivery] = await receiver.waitFor(1);
    t.is(delivery?.headers['x-service-event'], 'checkout.failed');
  },
);
