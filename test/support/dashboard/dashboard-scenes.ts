import type { Page } from 'playwright-core';
import { answerLogo } from '../pages/merchant-logo.ts';
import {
  changeAnswers,
  failAllCalls,
  missingPage,
  open,
  preferExamples,
  type ScenePlace,
  waitForHeading,
} from './dashboard-scene.ts';
import {
  disputed,
  failedDelivery,
  liveKinds,
  liveNeeds,
  manyWebhooks,
  moved,
  noted,
  notRefunded,
  operator,
  pending,
  refundedInPart,
  reviewed,
  signedDelivery,
  staged,
} from './scene-answers.ts';

export type DashboardScenes = Record<string, (page: Page, place: ScenePlace) => Promise<unknown>>;

export const endpoint = '/test/webhooks/019aa3c4-9d1e-7c52-8f3a-1b2c3d4e5f60';
const delivery = '/test/deliveries/019aa3c7-0a1e-7c52-8f3a-1b2c3d4e5f60';
const event = '/test/events/019aa3c7-0a1d-7c52-8f3a-1b2c3d4e5f60';

export const dashboardPages: DashboardScenes = {
  Home: async (page, place) => {
    await open(page, place, '/test');
    await page.locator('.recharts-bar').first().waitFor();
  },
  Payments: (page, place) => open(page, place, '/test/payments'),
  'Payments in a saved view': async (page, place) => {
    await open(page, place, '/test/payments?status=completed&currency=NGN&minAmount=400000');
    await page.getByRole('button', { name: 'View', exact: true }).waitFor();
  },
  'Payment links': (page, place) => open(page, place, '/test/payment-links'),
  'a payment link': async (page, place) => {
    await open(page, place, '/test/payment-links/019aa3c9-1a2b-7c52-8f3a-1b2c3d4e5f62');
    await page.getByRole('img', { name: 'QR code of the link' }).waitFor();
  },
  Refunds: (page, place) => open(page, place, '/test/refunds'),
  Customers: (page, place) => open(page, place, '/test/customers'),
  'a customer': async (page, place) => {
    await open(page, place, '/test/customers/019aa3c4-7a5b-8c52-8f3a-1b2c3d4e5f60');
    await page.getByRole('table', { name: 'Payments' }).waitFor();
  },
  Transfers: (page, place) => open(page, place, '/test/transfers'),
  'a transfer': (page, place) => open(page, place, '/test/transfers/payout-77'),
  Balances: (page, place) => open(page, place, '/test/balances?kind=transfer'),
  Products: (page, place) => open(page, place, '/test/products'),
  Webhooks: (page, place) => open(page, place, '/test/webhooks'),
  'an endpoint': (page, place) => open(page, place, endpoint),
  'the code of an endpoint': (page, place) => open(page, place, `${endpoint}?tab=code`),
  Deliveries: (page, place) => open(page, place, '/test/deliveries'),
  'Deliveries with filters': (page, place) =>
    open(page, place, '/test/deliveries?event=checkout.failed&reference=order-1042&period=last_7_days&order=asc'),
  'a delivery': (page, place) => open(page, place, delivery),
  Events: (page, place) => open(page, place, '/test/events'),
  'an event': (page, place) => open(page, place, event),
  Developers: (page, place) => open(page, place, '/test/developers'),
  'Settings of the business': async (page, place) => {
    await answerLogo(page);
    await open(page, place, '/test/settings');
  },
  'Settings of the receipts': (page, place) => open(page, place, '/test/settings?tab=receipts'),
  'Settings of the team': async (page, place) => {
    await open(page, place, '/test/settings?tab=team');
    await page.getByLabel('Limit in NGN').waitFor();
  },
  'the account, with the sign-in': (page, place) => open(page, place, '/test/account'),
  'the account, with the sessions': (page, place) => open(page, place, '/test/account?tab=sessions'),
  'the account, with the profile': (page, place) => open(page, place, '/test/account?tab=profile'),
  'the account, with the notifications': (page, place) => open(page, place, '/test/account?tab=notifications'),
  'the audit log': (page, place) => open(page, place, '/test/settings?tab=audit'),
  'no such page of the dashboard': (page, place) => open(page, place, missingPage),
  // Pages with changed responses come last, because the dashboard must be loaded again before and after each of them.
  'the sign-in': async (page, place) => {
    await changeAnswers(page, { 'dashboard/session': 401 });
    await open(page, place, '/test');
    await waitForHeading(page, 'Sign in to Tillhook');
  },
  'the page for a forgotten password': (page, place) => open(page, place, '/forgot-password'),
  'the page that sets a new password': async (page, { url }) => {
    await page.goto(`${url}/dashboard/reset-password?token=abc`);
    await waitForHeading(page, 'Set a new password');
  },
  'an invitation': async (page, { url }) => {
    await page.goto(`${url}/dashboard/invitation?token=abc`);
    await waitForHeading(page, "Join Ada's Shop");
  },
  'an invitation whose link is incomplete': async (page, { url }) => {
    await page.goto(`${url}/dashboard/invitation`);
    await waitForHeading(page, 'This invitation does not work');
  },
  'a payment': async (page, place) => {
    await changeAnswers(page, notRefunded);
    await open(page, place, '/test/payments/ref_k3v9m2q7x4t8w5n6b1zd');
  },
  'a payment that waits for the customer': async (page, place) => {
    await changeAnswers(page, pending);
    await open(page, place, '/test/payments/order-1042');
  },
  'a payment under review': async (page, place) => {
    await changeAnswers(page, reviewed);
    await open(page, place, '/test/payments/order-1042');
  },
  'a payment refunded in part': async (page, place) => {
    await changeAnswers(page, refundedInPart);
    await open(page, place, '/test/payments/ref_k3v9m2q7x4t8w5n6b1zd');
  },
  'a payment that failed, with a note': async (page, place) => {
    await changeAnswers(page, { 'payments/order-1042': noted });
    await open(page, place, '/test/payments/order-1042');
  },
  'a payment with unfolded webhooks, and long texts': async (page, place) => {
    await changeAnswers(page, manyWebhooks);
    await open(page, place, '/test/payments/ref_k3v9m2q7x4t8w5n6b1zd');
    for (const fold of await page.getByRole('button', { name: /^\d+ webhooks?/ }).all()) await fold.click();
    await page
      .getByRole('link', { name: /could not be delivered/ })
      .first()
      .waitFor();
  },
  'a payment that the customer disputes': async (page, place) => {
    await changeAnswers(page, disputed);
    await open(page, place, '/test/payments/ref_k3v9m2q7x4t8w5n6b1zd');
  },
  'the secret of an endpoint, with a rotation staged': async (page, place) => {
    await changeAnswers(page, staged);
    await open(page, place, `${endpoint}?tab=secret`);
  },
  'a delivery that failed': async (page, place) => {
    await changeAnswers(page, failedDelivery);
    await open(page, place, delivery);
    await page.getByText('Failed after 4 attempts').waitFor();
  },
  'a delivery with its signatures': async (page, place) => {
    await changeAnswers(page, signedDelivery);
    await open(page, place, delivery);
    await page.getByText('X-Service-Signature: ').waitFor();
  },
  'a delivery that went to an earlier address': async (page, place) => {
    await changeAnswers(page, moved);
    await open(page, place, delivery);
    await page.getByText('the endpoint’s address at that time').first().waitFor();
  },
  'open transfers for the operator': async (page, place) => {
    await changeAnswers(page, operator);
    await open(page, place, '/live/operator');
  },
  'payments under review for the operator': async (page, place) => {
    await changeAnswers(page, operator);
    await open(page, place, '/live/operator?tab=payments');
  },
  'merchants for the operator': async (page, place) => {
    await changeAnswers(page, operator);
    await open(page, place, '/live/operator?tab=merchants');
  },
};

const empty = async (page: Page, place: ScenePlace, path: string) => {
  await preferExamples(page, { 'dashboard/overview': 'newAccount', wallets: 'fresh', '*': 'empty' });
  await open(page, place, path);
};

const failing = async (page: Page, place: ScenePlace, path: string) => {
  await failAllCalls(page);
  await open(page, place, path);
  await page.getByRole('alert').first().waitFor();
};

const live = async (page: Page, place: ScenePlace, path: string, unmet: readonly string[]) => {
  await changeAnswers(page, { 'dashboard/live-setup': liveNeeds(unmet) });
  await open(page, place, path);
  await page
    .getByText(/^Live (payments|transfers) are not set up|^Live mode is not completely set up/)
    .first()
    .waitFor();
};

export const dashboardStates: DashboardScenes = {
  'Home of a new account': async (page, place) => {
    await empty(page, place, '/test');
    // The script of the first step loads last, so the scene waits for the button of this step.
    await page.getByRole('button', { name: 'Create a checkout' }).waitFor();
  },
  'Payments without any': (page, place) => empty(page, place, '/test/payments'),
  'Payments none of which match': (page, place) => empty(page, place, '/test/payments?status=failed'),
  'Payment links without any': (page, place) => empty(page, place, '/test/payment-links'),
  'Refunds without any': (page, place) => empty(page, place, '/test/refunds'),
  'Customers without any': (page, place) => empty(page, place, '/test/customers'),
  'Customers none of whom match': (page, place) => empty(page, place, '/test/customers?search=grace'),
  'Payments of a payment link': async (page, place) => {
    await open(page, place, '/test/payments?paymentLinkId=019aa3c9-1a2b-7c52-8f3a-1b2c3d4e5f62');
    await page.getByRole('button', { name: /^Payment link: / }).waitFor();
  },
  'Transfers without any': (page, place) => empty(page, place, '/test/transfers'),
  'Balances without entries': (page, place) => empty(page, place, '/test/balances'),
  'Products without any': (page, place) => empty(page, place, '/test/products'),
  'Webhooks without any': (page, place) => empty(page, place, '/test/webhooks'),
  'Deliveries without any': (page, place) => empty(page, place, '/test/deliveries'),
  'Events none of which match': (page, place) => empty(page, place, '/test/events?period=yesterday'),
  'Events without any': (page, place) => empty(page, place, '/test/events'),
  'Developers without a key': (page, place) => empty(page, place, '/test/developers'),
  'an audit log without entries': (page, place) => empty(page, place, '/test/settings?tab=audit'),
  'a payment that does not exist': async (page, place) => {
    await changeAnswers(page, { 'payments/order-1042': 404 });
    await open(page, place, '/test/payments/order-1042');
    await page.getByText('Not found', { exact: true }).waitFor();
  },
  'a payment that fails to load': (page, place) => failing(page, place, '/test/payments/order-1042'),
  'Home that fails': (page, place) => failing(page, place, '/test'),
  'Home of live mode without a processor': async (page, place) => {
    await live(page, place, '/live', liveKinds);
    await page.locator('.recharts-bar').first().waitFor();
  },
  'live Payments without a processor': async (page, place) => {
    await preferExamples(page, { payments: 'empty' });
    await live(page, place, '/live/payments', ['payment_processor', 'payout_processor', 'webhook_endpoint']);
  },
  'live Transfers without a payout processor': (page, place) =>
    live(page, place, '/live/transfers', ['payout_processor']),
  'live mode for an operator who has to set it up': async (page, place) => {
    await changeAnswers(page, operator);
    await live(page, place, '/live/balances', liveKinds);
  },
  'live mode that is not completely set up, for a viewer': async (page, place) => {
    await changeAnswers(page, { 'dashboard/session': { user: { role: 'viewer' } } });
    await live(page, place, '/live/webhooks', ['payout_processor', 'business_details', 'api_key']);
  },
  'Payments that fail': (page, place) => failing(page, place, '/test/payments'),
  'a customer that fails': (page, place) =>
    failing(page, place, '/test/customers/019aa3c4-7a5b-8c52-8f3a-1b2c3d4e5f60'),
  'filtered Deliveries that fail': (page, place) => failing(page, place, '/test/deliveries?period=today'),
  'an endpoint that fails': (page, place) => failing(page, place, endpoint),
};
