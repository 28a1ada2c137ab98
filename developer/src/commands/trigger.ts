import { randomBytes } from 'node:crypto';
import { type Event, type Query, type Tillhook, TransferError } from '@tillhook/sdk';
import type { EventName } from '@tillhook/sdk/webhooks';
import { failureOf } from '../sending/post-webhook.ts';
import { commandLine } from '../terminal/command-line.ts';
import { ArgumentError, CommandError, type DeveloperEnvironment, exitCodes } from '../terminal/environment.ts';
import { moneyText } from '../terminal/money-text.ts';
import { printable } from '../terminal/printable.ts';
import { createScreen } from '../terminal/screen.ts';
import { type ConnectionOptions, connect, requireTestKey } from './connection.ts';

interface TriggerArguments extends ConnectionOptions, Omit<TriggerOptions, 'signal'> {
  which: EventName;
  json?: boolean;
}

/** The maximum time to wait for the event: longer than the 30 seconds that a failing refund takes. */
const maxWaitMs = 60_000;

export async function trigger(options: TriggerArguments, environment: DeveloperEnvironment): Promise<number> {
  const { which: event, json = false } = options;
  const { interrupted: signal } = environment;
  const connection = connect(environment, options);
  requireTestKey(connection, 'trigger');
  const screen = createScreen(environment, json);
  const steps: string[] = [];
  const say = (step: string) => {
    steps.push(step);
    if (!json) screen.print(`${screen.colours.dim('·')} ${printable(step)}`);
  };
  const { client } = connection;
  const { events: newest } = await client.events.list({ order: 'desc', limit: 1 }, { signal });
  const reference = await recipes[event](client, { ...options, signal }, say);
  if (event === 'refund.failed')
    screen.progress(`The bank answers in half a minute; \`${commandLine('advance')} 30s\` makes it answer now …`);
  const found = await waitFor(client, { event, reference, after: newest[0]?.id, signal });
  if (json) screen.print(JSON.stringify({ event, reference: found.reference, eventId: found.id, steps }, null, 2));
  else
    screen.print(
      `${screen.colours.green('✓')} ${printable(`${event}${reference ? ` of ${reference}` : ''} is event ${found.id}`)}`,
    );
  return exitCodes.done;
}

interface Wanted {
  event: EventName;
  reference: string | null;
  after: string | undefined;
  signal: AbortSignal;
}

async function waitFor({ events }: Tillhook, { event, reference, after, signal }: Wanted): Promise<Event> {
  const query = { event: [event] as Query<'listEvents'>['event'], ...(reference && { reference }) };
  const time = AbortSignal.timeout(maxWaitMs);
  const feed = events.follow(
    { ...query, ...(after && { after }), from: 'oldest' },
    { signal: AbortSignal.any([time, signal]) },
  );
  for await (const found of feed) return found;
  signal.throwIfAborted();
  throw new CommandError(`${event} did not come within ${maxWaitMs / 1000} seconds.`, {
    advice: 'Everything above was done. A worker of the service may not run: look at its log.',
  });
}

interface TriggerOptions {
  amount: number;
  currency?: string;
  email: string;
  reference?: string;
  endpoint?: string;
  signal: AbortSignal;
}

type Recipe = (client: Tillhook, options: TriggerOptions, say: (step: string) => void) => Promise<string | null>;

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
    say('Its card was declined, and its time to pay was over');
    return reference;
  },
  async 'checkout.expired'(client, options, say) {
    const { reference } = await createCheckout(client, options, say);
    // Choice: cancelling ends only this checkout. Advancing the clock of test mode would end all other checkouts too.
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
  // The wallet must also pay the fee of the transfer. The fee is unknown here, so each attempt adds ten times as much.
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

/**
 * Choice: submits the card on the hosted page, because the card decides the result of a later refund, and the API pays
 * with only one card. All other requests of the developer commands use the SDK.
 */
async function payAtHostedPage(
  checkoutUrl: string,
  { card, signal }: { card: string; signal: AbortSignal },
): Promise<void> {
  const page = await fetch(checkoutUrl, { signal }).catch(unreachable(checkoutUrl));
  const html = await page.text();
  // The page has a separate form for each way to pay.
  const [cardForm = html] = /<form[^>]* data-card-form.*?<\/form>/s.exec(html) ?? [];
  const hidden = [...cardForm.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
  const form = new URLSearchParams(hidden.map(([, name = '', value = '']): [string, string] => [name, value]));
  const year = (new Date().getFullYear() + 2) % 100;
  for (const [name, value] of Object.entries({ cardNumber: card, expiry: `12 / ${year}`, cvc: '123' }))
    form.set(name, value);
  form.set('cardName', 'Ada Lovelace');
  await fetch(checkoutUrl, { method: 'POST', body: form, redirect: 'manual', signal }).catch(unreachable(checkoutUrl));
}

const unreachable = (url: string) => (error: Error) => {
  if (error.name === 'AbortError') throw error;
  throw new CommandError(`The hosted page ${new URL(url).origin} gave no answer.`, {
    advice: 'It is the PUBLIC_URL of the service: this computer must reach it.',
  });
};
