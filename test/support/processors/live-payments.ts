import { randomUUID } from 'node:crypto';
import { withFreshEntityManager } from '@tillhook/server/src/context.ts';
import { askAboutPayments } from '@tillhook/server/src/money/payments/ask-about-payments.job.ts';
import { askAboutRefunds } from '@tillhook/server/src/money/refunds/ask-about-refunds.job.ts';
import test from 'ava';
import { startStatementCutter } from '../database/statement-cutter.ts';
import { makeAttemptsDue, publishedEvents } from '../money/payments.ts';
import { ownServerForFile, type TestMerchant } from '../server/tillhook.ts';
import { findPostgres } from '../shared-fixtures.ts';
import { type FakeStripe, startFakeStripe } from './fake-stripe.ts';
import {
  type StripeEvent,
  type StripeEventType,
  type StripeObject,
  signStripeEvent,
  stripeEvent,
} from './stripe-events.ts';

const webhookSecret = 'whsec_live_payments';

export const stripe: FakeStripe = await startFakeStripe();

export const cutter = await startStatementCutter(await findPostgres());

/** A server with live payments requires rate limits, so these limits are too high for any test to reach. */
const settings = {
  ROLE: 'api',
  STRIPE_SECRET_KEY: 'sk_test_payments',
  STRIPE_WEBHOOK_SECRET: webhookSecret,
  STRIPE_API_URL: stripe.url,
  // People are notified only by a service that has a mail server. No worker runs, so no mail is sent.
  MAIL_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'pay@example.com',
  RATE_LIMITS: 'live:100000/10,checkout:1000/60,checkout_hourly:1000/60,checkout_address:1000/60',
};
export const server = ownServerForFile(settings, cutter.reach);
test.after.always(() => stripe.stop());

export interface LiveCheckout {
  merchant: TestMerchant;
  checkoutUrl: string;
  accessCode: string;
  reference: string;
  payment(): ReturnType<TestMerchant['client']['payments']['get']>;
  events(): Promise<string[]>;
  collected(): Promise<number>;
}

export async function liveCheckout(
  own: { currency?: string; expiresIn?: number; reference?: string } = {},
  of?: TestMerchant,
): Promise<LiveCheckout> {
  const merchant = of ?? (await server().createMerchant());
  const { liveClient } = merchant;
  await liveClient.webhookEndpoints.register({ url: 'https://example.com/hooks' });
  const { data } = await liveClient.checkout.create({ email: 'ada@example.com', amount: 500_000, ...own });
  return {
    merchant,
    ...data,
    payment: () => liveClient.payments.get(data.reference),
    events: () => publishedEvents(server(), merchant),
    collected: async () => (await liveClient.wallets.list()).wallets[0]?.available ?? 0,
  };
}

export async function goToStripe({ checkoutUrl }: Pick<LiveCheckout, 'checkoutUrl'>) {
  const page = await (await fetch(checkoutUrl)).text();
  const [, nonce = ''] = /name="nonce" value="([^"]+)"/.exec(page) ?? [];
  const response = await fetch(checkoutUrl, { method: 'POST', body: new URLSearchParams({ nonce }) });
  return { session: newestSession(), html: await response.text(), status: response.status, url: response.url };
}

export function newestSession(): StripeObject {
  const session = stripe.sessions.at(-1);
  if (!session) throw new Error('The server created no session at Stripe.');
  return session;
}

/** If `again` is given, sends this event once more instead of a new event. */
export async function sendStripeEvent(type: StripeEventType, object: StripeObject, again?: StripeEvent) {
  // In an event, `payment_intent` is always an id. In a response of the API, it can also be an object.
  const event = again ?? stripeEvent(type, { ...object, payment_intent: 'pi_1' });
  const { status } = await postProcessorWebhook(signStripeEvent(event, webhookSecret));
  return { status, event };
}

export async function postProcessorWebhook({ body, signature }: { body: string; signature: string }, name = 'stripe') {
  return fetch(`${server().url}/processors/${name}/webhook`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'stripe-signature': signature },
    body,
  });
}

export async function runSettleUndecided(merchant: TestMerchant): Promise<void> {
  await makeAttemptsDue(server(), merchant);
  await askAboutPayments(withFreshEntityManager(server().context));
}

export async function goToStripeTwice(checkout: LiveCheckout) {
  const first = await goToStripe(checkout);
  await fetch(`${checkout.checkoutUrl}/back`);
  const second = await goToStripe(checkout);
  return [first.session, second.session] as const;
}

export async function payTwice(checkout: LiveCheckout): Promise<void> {
  for (const session of await goToStripeTwice(checkout)) {
    stripe.pay(session);
    await sendStripeEvent('checkout.session.completed', session);
  }
}

/** `own` replaces properties of the paid session, for example its amount. */
export async function createPaidCheckout(own: StripeObject, before = async (_checkout: LiveCheckout) => {}) {
  const checkout = await liveCheckout();
  const { session } = await goToStripe(checkout);
  await before(checkout);
  stripe.pay(session, own);
  await sendStripeEvent('checkout.session.completed', session);
  const { id } = await checkout.payment();
  return { ...checkout, id, session };
}

export const refundOf = ({ merchant, reference }: LiveCheckout, amount = 200_000) =>
  merchant.liveClient.refunds.create(reference, { amount, reference: 'refund-1' });

export async function runSettleRefunds({ id }: TestMerchant): Promise<void> {
  await server().database.query('update refund set next_check_at = null where merchant_id <> $1', [id]);
  await server().database.query('update refund set next_check_at = now() where merchant_id = $1', [id]);
  await askAboutRefunds(withFreshEntityManager(server().context));
}

export async function tellOfRefund(type: StripeEventType, own: StripeObject, id = `evt_${randomUUID()}`) {
  const event = { ...stripeEvent(type, own), id };
  return (await postProcessorWebhook(signStripeEvent(event, webhookSecret))).status;
}

export const intentOf = ({ session }: { session: StripeObject }) => (session.payment_intent as StripeObject).id;
