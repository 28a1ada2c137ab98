/** A program in TypeScript that uses the SDK. It is compiled as an ES module and as CommonJS, and never run. */
import { NotFoundError, type Payment, Tillhook, type TillhookOptions, type WebhookEvent } from '@tillhook/sdk';
import {
  sign,
  type UnknownWebhookEvent,
  unwrap,
  type WebhookEvents,
  WebhookVerificationError,
} from '@tillhook/sdk/webhooks';

const options: TillhookOptions = { baseUrl: 'https://pay.example.com' };
const tillhook = new Tillhook('sk_test_1', options);

export async function findPayment(reference: string): Promise<Payment | null> {
  try {
    return await tillhook.payments.get(reference);
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}

export async function paidReference(request: Request, secret: string): Promise<string | null> {
  const event = await unwrap(request, [secret]);
  return event.event === 'checkout.success' ? event.data.reference : null;
}

type Shown = 'checkout.failed' | 'transfer.success' | 'transfer.failed' | 'refund.success' | 'refund.failed';
declare function show(known: WebhookEvents[Shown]): string;

export async function noteOf(request: Request, secret: string, isNamed: boolean): Promise<string> {
  const event = await unwrap(request, secret);
  // Event names of a later version: a new noun, a new verb, and a known noun with a known verb of another noun.
  const isNewer =
    event.event === 'refund.disputed' ||
    event.event === 'payout.paid' ||
    event.event === 'transaction.failed' ||
    event.event === 'customer.updated' ||
    event.event === 'test.failed' ||
    event.event === 'transfer.reversed' ||
    event.event === 'checkout.suspended';
  if (isNewer) return JSON.stringify(event.data);
  // A larger union would be too complex for TypeScript.
  const name = isNamed ? event.event : 'no name';
  switch (event.event) {
    case 'checkout.success':
      return `${name} ${event.data.customerEmail satisfies string}`;
    case 'checkout.expired':
      return event.data.reason satisfies string;
    case 'checkout.failed':
    case 'transfer.success':
    case 'transfer.failed':
    case 'refund.success':
    case 'refund.failed':
      return show(event);
    case 'test.event':
      return event.data.reference satisfies string;
    default:
      return newerNoteOf(event);
  }
}

function newerNoteOf({ event, data }: UnknownWebhookEvent): string {
  // @ts-expect-error The data of an unknown event can be anything.
  data.reference;
  // @ts-expect-error This name is known, so an unknown event cannot have this name.
  return event === 'checkout.success' ? '' : event;
}

export async function failureOf(event: WebhookEvent, secret: string): Promise<string | null> {
  const body = JSON.stringify(event);
  try {
    await unwrap(body, await sign(body, secret), secret, { toleranceSeconds: 60 });
    return null;
  } catch (error) {
    return error instanceof WebhookVerificationError ? error.code : null;
  }
}

export async function refuseWhatTheContractRefuses(): Promise<void> {
  // @ts-expect-error An amount is a number. If the types were lost, an amount could be any value.
  await tillhook.checkout.create({ email: 'ada@example.com', amount: '5' });
}
