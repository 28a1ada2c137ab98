import { createScene, type Flow } from '../money/crash.ts';
import { type MoneyRows, noRows, paidRows, published } from '../money/money-rows.ts';
import type { TestMerchant } from '../server/tillhook.ts';
import {
  cutter,
  goToStripe,
  liveCheckout,
  runSettleUndecided,
  sendStripeEvent,
  server,
  stripe,
} from './live-payments.ts';
import type { StripeEventType } from './stripe-events.ts';

const reference = 'order-1042';
const atStripe = async (merchant: TestMerchant) => goToStripe(await liveCheckout({ reference }, merchant));

function sessionOf() {
  return stripe.sessions.at(-1) ?? {};
}

async function sendEventOfSession(type: StripeEventType): Promise<void> {
  const { status } = await sendStripeEvent(type, sessionOf());
  if (status !== 200) throw new Error(`The server answered the webhook of Stripe with ${status}.`);
}

const payAtStripe = async (merchant: TestMerchant) => {
  await atStripe(merchant);
  stripe.pay(sessionOf());
};

async function checkoutUrlOf({ id }: TestMerchant): Promise<string> {
  const [payment] = await server().database.query('select access_code from payment where merchant_id = $1', [id]);
  return `${server().url}/checkout/${payment?.access_code}`;
}

/** If the server has not redirected the customer to Stripe, presses the button again. */
async function finishGoing(merchant: TestMerchant): Promise<void> {
  await runSettleUndecided(merchant);
  const { status } = await merchant.liveClient.payments.get(reference);
  if (status === 'pending') await goToStripe({ checkoutUrl: await checkoutUrlOf(merchant) });
}

/** Live flows have a second endpoint, which `liveCheckout` registers. */
const eventRows = (name: string): Pick<MoneyRows, 'events' | 'deliveries' | 'queued'> => {
  const { events, deliveries, queued } = published(reference, name);
  const hook = `${name} to hooks pending 0`;
  return { events, deliveries: [...deliveries, hook].sort(), queued: [...queued, hook] };
};

const begun = { ...noRows, payments: ['order-1042 pending 0'] };
const submitted = { ...noRows, payments: ['order-1042 processing 1'], attempts: ['order-1042 1 open'] };
const completed = {
  ...paidRows(),
  ...eventRows('checkout.success'),
};
const expired = {
  ...noRows,
  ...eventRows('checkout.expired'),
  payments: ['order-1042 expired 1'],
  attempts: ['order-1042 1 cancelled'],
};
/** An attempt that the customer left without paying is not counted in the payment. */
const returned = { ...noRows, payments: ['order-1042 pending 0'], attempts: ['order-1042 1 cancelled'] };

export const liveFlows: readonly Flow[] = [
  {
    title: 'a customer goes to Stripe',
    prepare: (merchant) => liveCheckout({ reference }, merchant),
    act: async (merchant) => goToStripe({ checkoutUrl: await checkoutUrlOf(merchant) }),
    actAgain: finishGoing,
    rows: [begun, submitted],
  },
  {
    title: 'Stripe reports that a session is paid',
    prepare: payAtStripe,
    act: () => sendEventOfSession('checkout.session.completed'),
    rows: [submitted, completed],
  },
  {
    title: 'the job asks Stripe about a paid session',
    prepare: payAtStripe,
    act: (merchant) => runSettleUndecided(merchant),
    rows: [submitted, completed],
  },
  {
    title: 'Stripe reports that a session has expired',
    prepare: async (merchant) => {
      await atStripe(merchant);
      sessionOf().status = 'expired';
    },
    act: () => sendEventOfSession('checkout.session.expired'),
    rows: [submitted, expired],
  },
  {
    title: 'a customer comes back without having paid',
    prepare: atStripe,
    act: async (merchant) => fetch(`${await checkoutUrlOf(merchant)}/back`),
    rows: [submitted, returned],
  },
];

export const liveScene = createScene(server, cutter);
