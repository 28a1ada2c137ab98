/** A crash between any two statements of what moves live money. */
import { type Flow, happensExactlyOnce } from '../support/crash.ts';
import { cutter, goToStripe, liveCheckout, reconcile, server, stripe, tell } from '../support/live-payments.ts';
import type { StripeEventType } from '../support/stripe-events.ts';
import type { TestMerchant } from '../support/tillhook.ts';

const reference = 'order-1042';
const atStripe = async (merchant: TestMerchant) => goToStripe(await liveCheckout({ reference }, merchant));

function sessionOf() {
  return stripe.sessions.at(-1) ?? {};
}

async function told(type: StripeEventType): Promise<void> {
  const { status } = await tell(type, sessionOf());
  if (status !== 200) throw new Error(`Stripe was answered ${status}.`);
}

const payAtStripe = async (merchant: TestMerchant) => {
  await atStripe(merchant);
  stripe.pay(sessionOf());
};

async function checkoutUrlOf({ id }: TestMerchant): Promise<string> {
  const [payment] = await server().database.query('select access_code from payment where merchant_id = $1', [id]);
  return `${server().url}/checkout/${payment?.access_code}`;
}

/** The job finishes what was begun; a customer who was sent nowhere presses the button again. */
async function goAfterAll(merchant: TestMerchant): Promise<void> {
  await reconcile(merchant);
  const { status } = await merchant.liveClient.payments.get(reference);
  if (status === 'pending') await goToStripe({ checkoutUrl: await checkoutUrlOf(merchant) });
}

const flows: Flow[] = [
  {
    title: 'a customer goes to Stripe',
    prepare: (merchant) => liveCheckout({ reference }, merchant),
    act: async (merchant) => goToStripe({ checkoutUrl: await checkoutUrlOf(merchant) }),
    actAgain: goAfterAll,
  },
  {
    title: 'Stripe tells that it is paid',
    prepare: payAtStripe,
    act: () => told('checkout.session.completed'),
  },
  { title: 'the job asks and it is paid', prepare: payAtStripe, act: (merchant) => reconcile(merchant) },
  {
    title: 'a customer comes back',
    prepare: atStripe,
    act: async (merchant) => fetch(`${await checkoutUrlOf(merchant)}/back`),
  },
];

happensExactlyOnce(server, cutter, flows);
