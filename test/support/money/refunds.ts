import { eventually } from '../eventually.ts';
import type { TestMerchant, TestServer } from '../server/tillhook.ts';
import { payByForm } from './hosted-page.ts';

const never = () => Promise.reject(new Error('This processor makes no refunds.'));

export const withoutRefunds = { refund: never, refundStatus: never };

export async function payWith(
  { client }: TestMerchant,
  { card = '4242424242424242', amount = 1000, reference = 'order-1042' } = {},
): Promise<string> {
  const { data } = await client.checkout.create({ email: 'ada@example.com', amount, reference });
  const { status } = await payByForm(data.checkoutUrl, card);
  if (status !== 200) throw new Error(`The hosted page answered ${status}.`);
  return reference;
}

export async function paidMerchant(server: TestServer, amount = 1000): Promise<TestMerchant> {
  const merchant = await server.createMerchant();
  await merchant.client.checkout.create({ email: 'ada@example.com', amount, reference: 'order-1042' });
  await merchant.client.testHelpers.completePayment('order-1042');
  return merchant;
}

export async function waitForRefund(status: string, { client }: TestMerchant, reference: string) {
  return eventually(
    () => client.refunds.get(reference),
    (refund) => refund.status === status,
  );
}

export async function makeRefundsDue(server: TestServer, { id }: TestMerchant): Promise<void> {
  await server.database.query(
    'update refund set next_check_at = now() where merchant_id = $1 and next_check_at is not null',
    [id],
  );
  await server.arrange('ringRefunds', {});
}
