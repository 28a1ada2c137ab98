/** How each event is made to happen. Each recipe says what it does, and returns the reference of what the event is about. */
import { randomBytes } from 'node:crypto';
import { type Tillhook, TransferError } from '@tillhook/sdk';
import type { EventName } from '@tillhook/sdk/webhooks';
import { failureOf } from '../failures.ts';
import { moneyText } from '../money-text.ts';
import { ArgumentError, CommandError } from './environment.ts';
import { payAtHostedPage } from './hosted-page.ts';

/** What the user asked for. */
export interface TriggerOptions {
  amount: number;
  currency?: string;
  email: string;
  reference?: string;
  endpoint?: string;
  signal: AbortSignal;
}

type Recipe = (client: Tillhook, options: TriggerOptions, say: (step: string) => void) => Promise<string | null>;

/** The test card to which a refund fails. */
const cardWithoutRefunds = '4000000000005126';
const unknownAccount = '0000000001';

export const recipes: Record<EventName, Recipe> = {
  async 'checkout.success'(client, options, say) {
    const { reference } = await createCheckout(client, options, say);
    await client.test.completePayment(reference, { signal: options.signal });
    say('Paid it with the test card 4242 4242 4242 4242');
    return reference;
  },
  async 'checkout.failed'(client, options, say) {
    const { reference } = await createCheckout(client, options, say);
    await client.test.failPayment(reference, { signal: options.signal });
    say('Its card was declined, and the customer gave up');
    return reference;
  },
  async 'checkout.expired'(client, options, say) {
    const { reference } = await createCheckout(client, options, say);
    // Choice: cancelling ends one checkout. Advancing the time would end every other one too.
    await client.payments.cancel(reference, { signal: options.signal });
    say('Cancelled it, so that it expired at once');
    return reference;
  },
  'transfer.success': (client, options, say) => transfer(client, { ...options, accountNumber: '0123456789' }, say),
  'transfer.failed': (client, options, say) => transfer(client, { ...options, accountNumber: unknownAccount }, say),
  async 'refund.success'(client, options, say) {
    const { reference, ...payment } = options;
    const paid = await recipes['checkout.success'](client, payment, say);
    return refund(client, { ...options, payment: String(paid) }, say);
  },
  async 'refund.failed'(client, options, say) {
    const { reference, ...payment } = options;
    const checkout = await createCheckout(client, payment, say);
    await payAtHostedPage(checkout.checkoutUrl, { card: cardWithoutRefunds, signal: options.signal });
    const { status } = await client.payments.get(checkout.reference, { signal: options.signal });
    if (status !== 'completed')
      throw new CommandError(
        `The hosted page did not take the test card: payment ${checkout.reference} is ${status}.`,
        { advice: 'This command may be older than the service: update @tillhook/mock.' },
      );
    say(`Paid it on its hosted page with the test card ${cardWithoutRefunds}, to which refunds fail`);
    return refund(client, { ...options, payment: checkout.reference }, say);
  },
  async 'test.event'(client, { endpoint, signal }, say) {
    const id = endpoint ?? (await onlyEndpoint(client, signal));
    const { data } = await client.webhookEndpoints.sendTest(id, { signal });
    const why = data.statusCode === null ? failureOf(data).sentence : `It answered ${data.statusCode}.`;
    say(data.delivered ? `Endpoint ${id} received it` : `Endpoint ${id} did not receive it. ${why}`);
    return null;
  },
};

async function createCheckout(
  { checkout }: Tillhook,
  { amount, currency, email, reference, signal }: TriggerOptions,
  say: (step: string) => void,
): Promise<{ reference: string; checkoutUrl: string }> {
  const order = { email, amount, ...(currency && { currency }), ...(reference && { reference }) };
  const { data } = await checkout.create(order, { signal });
  say(`Created the checkout ${data.reference}`);
  return data;
}

async function transfer(
  client: Tillhook,
  { amount, currency, reference, signal, accountNumber }: TriggerOptions & { accountNumber: string },
  say: (step: string) => void,
): Promise<string> {
  const money = { amount, ...(currency && { currency }) };
  const recipient = { name: 'Grace Hopper', accountNumber, bankCode: '058' };
  const order = { ...money, recipient, reference: reference ?? `payout-${randomBytes(6).toString('hex')}` };
  // Transfers have a fee that only the operator knows. Its first payment may need more than the amount.
  for (const funds of [1, 10, 100, 1000].map((factor) => amount * factor)) {
    const wallet = await client.test.fundWallet({ ...money, amount: funds }, { signal });
    say(`Added ${moneyText(funds, wallet.currency)} to the Transfer wallet`);
    try {
      const made = await client.transfers.create(order, { signal });
      say(`Sent ${moneyText(made.amount, made.currency)} to the account ${accountNumber}`);
      return made.reference;
    } catch (error) {
      if (!(error instanceof TransferError) || error.code !== 'insufficient_funds') throw error;
    }
  }
  throw new CommandError('The Transfer wallet has not enough for the fee, after adding money to it four times.', {
    advice: 'Send a larger amount with --amount: the fee of this service is more than a thousand times this one.',
  });
}

async function refund(
  { refunds }: Tillhook,
  { payment, reference, signal }: TriggerOptions & { payment: string },
  say: (step: string) => void,
): Promise<string> {
  const made = await refunds.create(payment, reference ? { reference } : {}, { signal });
  say(`Refunded ${moneyText(made.amount, made.currency)} of it`);
  return made.reference;
}

async function onlyEndpoint({ webhookEndpoints }: Tillhook, signal: AbortSignal): Promise<string> {
  const { webhooks } = await webhookEndpoints.list({}, { signal });
  const [only, ...others] = webhooks;
  if (only && others.length === 0) return only.id;
  if (only) {
    const ids = webhooks.map(({ id, url }) => `${id} (${url})`).join(', ');
    throw new ArgumentError('There are several endpoints.', { advice: `Name one with --endpoint: ${ids}` });
  }
  throw new CommandError('A test event goes to an endpoint, and there is none.', {
    advice:
      'Register one, in the dashboard or with webhookEndpoints.register of the SDK. `listen` shows the event then too.',
  });
}
