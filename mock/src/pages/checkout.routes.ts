/** Choice: a payment redirects to the shop immediately, without the receipt that the service shows to customers. */
import type { IncomingMessage } from 'node:http';
import { parse } from 'node:querystring';
import type { Model, Payment } from '@tillhook/openapi';
import { isCrossSite } from '@tillhook/openapi/rules/credentials';
import { returnAddress } from '@tillhook/openapi/rules/return-address';
import type { SeededList, SeedRecord } from '../examples/seeds.ts';
import type { Checkout } from '../memory/checkout.ts';
import type { Memory } from '../memory/memory.ts';
import { customerActs, type Payments } from '../memory/payments.ts';
import type { MockAnswer } from '../requests/api-error.ts';
import { readBytes } from '../requests/request.ts';
import { pathnameOf } from '../requests/routes.ts';
import { checkoutPage, type Visit } from './checkout.page.ts';
import { mark, messagePage } from './frame.ts';

export function isCheckoutPage(request: IncomingMessage): boolean {
  return /^\/checkout(\/|$)/.test(pathnameOf(request));
}

/** Choice: the form has only two short fields, so the mock rejects a larger body without buffering it. */
const maxBytes = 4_096;

interface Sources {
  memory: Memory;
  lists: ReadonlyMap<string, SeededList>;
}

export function createCheckoutRoutes(model: Model, { memory, lists }: Sources) {
  const merchantName = merchantNameOf(model);
  const { payments } = memory;

  return async (request: IncomingMessage): Promise<MockAnswer> => {
    const [, accessCode = '', rest] = pathnameOf(request).split('/').slice(1);
    // The URLs of the logos in the examples belong to the service, so the mock serves this image for all of them.
    if (accessCode === 'assets') return { status: 200, headers: { 'Content-Type': 'image/svg+xml' }, body: mark };
    payments.expireDue();
    const known = payments.find(accessCode.toLowerCase());
    const checkout = known ?? exampleCheckout(lists.get('listPayments')?.records ?? [], accessCode.toLowerCase());
    if (!checkout || rest) return messagePage(404, missing);
    if (request.method === 'GET' || request.method === 'HEAD') {
      return checkoutPage({ checkout, merchantName, step: stepIn(request) });
    }
    if (request.method !== 'POST') return messagePage(405, unreadable, { Allow: 'GET, HEAD, POST' });
    return submit(request, { checkout, isKnown: known !== undefined, payments });
  };
}

interface Submitted {
  checkout: Checkout;
  /** True when the mock remembers the checkout. It remembers an example checkout when its form is first submitted. */
  isKnown: boolean;
  payments: Payments;
}

async function submit(request: IncomingMessage, { checkout, isKnown, payments }: Submitted): Promise<MockAnswer> {
  if (isCrossSite(request.headers)) return messagePage(403, otherSite);
  const form = await readForm(request);
  if (form === null) return messagePage(413, tooLarge);
  const act = customerActs.find((one) => one === form.act);
  if (!act) return messagePage(400, unreadable);
  const { payment } = checkout;
  const path = `/checkout/${checkout.accessCode}`;
  // The form was submitted twice or is out of date, so the page shows the current state of the payment.
  if (payment.status !== 'pending' || form.attempts !== String(payment.attempts)) return seeOther(path);
  if (!isKnown) payments.adopt(checkout);
  payments.act(checkout, act);
  if (payment.status === 'pending' && act === 'decline') return seeOther(path);
  // A customer who lets the checkout expire has closed the page, so the customer is not redirected to the shop.
  const address = act === 'expire' ? null : returnAddress(payment);
  return seeOther(address ?? `${path}?step=${act === 'leave' ? 'left' : 'sent'}`);
}

/** The fields of the form; null when the body is too large. */
async function readForm(request: IncomingMessage): Promise<Record<string, unknown> | null> {
  const { bytes, isWhole } = await readBytes(request, maxBytes);
  return isWhole ? parse(String(bytes)) : null;
}

function stepIn({ url = '' }: IncomingMessage): Visit['step'] {
  const { step } = parse(url.split('?')[1] ?? '');
  return step === 'sent' || step === 'left' ? step : 'arrived';
}

function seeOther(address: string): MockAnswer {
  return { status: 303, headers: { Location: address }, body: undefined };
}

export function merchantNameOf({ operationById }: Model): string {
  const [example] = operationById.get('getAccount')?.success.content?.examples.values() ?? [];
  const { merchant } = (example?.value ?? {}) as { merchant?: { name?: string } };
  return merchant?.name ?? 'the shop';
}

const missing = [
  'Payment not found',
  'There is no payment at this address. The mock forgets everything when it stops, and an answer by Prefer is only an example. Create a checkout again.',
] as const;
const unreadable = [
  'We could not read that',
  'Nothing was changed. Go back to the page, and press one of its buttons.',
] as const;
const otherSite = [
  'This form came from another site',
  'Nothing was changed. Open the checkout itself, and decide there.',
] as const;
const tooLarge = ['The form is too large', 'Nothing was changed. The form has two short fields.'] as const;

/** The payment expires a day from now, because the dates in the examples are in the past. */
function exampleCheckout(records: readonly SeedRecord[], accessCode: string): Checkout | undefined {
  const pageUrlOf = ({ checkoutUrl, receiptUrl }: SeedRecord) => String(checkoutUrl ?? receiptUrl);
  const found = records.find((record) => pageUrlOf(record).endsWith(`/checkout/${accessCode}`));
  if (!found || accessCode === '') return undefined;
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
  const payment = { ...(found as unknown as Payment), expiresAt };
  return { payment, accessCode, pageUrl: pageUrlOf(found), locale: null, bankReferences: new Set() };
}
