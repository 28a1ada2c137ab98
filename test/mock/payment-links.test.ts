import './unobserved.ts';
import { Tillhook } from '@tillhook/sdk';
import test from 'ava';
import { sendLinkForm } from '../support/money/payment-links.ts';
import { startMockInRun } from '../support/shared-fixtures.ts';

test('the mock’s page of a payment link creates a checkout, and the link counts it when it is paid', async (t) => {
  const mock = await startMockInRun();
  t.teardown(() => mock.stop());
  const client = new Tillhook('sk_test_mock', { baseUrl: mock.url });
  const link = await client.paymentLinks.create({ name: 'Gift', minAmount: 500, metadata: { campaign: 'spring' } });
  t.true(link.url.startsWith(`${mock.url}/pay/`));
  t.regex(await (await fetch(link.url)).text(), /Amount in NGN/);

  t.is((await sendLinkForm(link.url, { amount: '4.99' })).status, 422);
  t.is((await sendLinkForm(link.url, { amount: '5', email: 'ada' })).status, 422);
  const { checkoutUrl } = await sendLinkForm(link.url, { amount: '30.50' });
  await fetch(checkoutUrl ?? '', { method: 'POST', body: new URLSearchParams({ act: 'pay', attempts: '0' }) });

  const { payments, total } = await client.payments.list({ paymentLinkId: link.id });
  t.is(total, 1);
  t.like(payments[0], { amount: 3050, status: 'completed', description: 'Gift', metadata: { campaign: 'spring' } });
  t.like(await client.paymentLinks.get(link.id), { completedPayments: 1, completedAmount: 3050 });
  await client.paymentLinks.update(link.id, { isActive: false });
  t.is((await sendLinkForm(link.url, { amount: '30' })).checkoutUrl, null);
  t.is((await fetch(`${mock.url}/pay/nowhere`)).status, 404);
});
