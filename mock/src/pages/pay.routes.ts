/** The page of a payment link. Each customer who sends its form gets a separate checkout. */
import type { IncomingMessage } from 'node:http';
import { parse } from 'node:querystring';
import { moneyText } from '@tillhook/developer/terminal/money-text';
import type { PaymentLink } from '@tillhook/openapi';
import { isCrossSite } from '@tillhook/openapi/rules/credentials';
import { minorUnitDigits } from '@tillhook/openapi/rules/currencies';
import { emailProblem } from '@tillhook/openapi/rules/fields';
import type { Memory } from '../memory/memory.ts';
import { type LinkChoice, statusOf } from '../memory/payment-links.ts';
import type { MockAnswer } from '../requests/api-error.ts';
import { readBytes } from '../requests/request.ts';
import { pathnameOf } from '../requests/routes.ts';
import { html, messagePage, pageAnswer } from './frame.ts';

export function isPayPage(request: IncomingMessage): boolean {
  return /^\/pay(\/|$)/.test(pathnameOf(request));
}

const maxBytes = 4_096;
const highestAmount = 999_999_999_999;

export function createPayRoutes(memory: Memory, merchantName: string) {
  const { paymentLinks } = memory;
  return async (request: IncomingMessage): Promise<MockAnswer> => {
    const [, slug = '', rest] = pathnameOf(request).split('/').slice(1);
    const link = paymentLinks.find(slug.toLowerCase());
    if (!link || rest) return messagePage(404, missing);
    const status = statusOf(link);
    if (status !== 'active') return messagePage(200, over[status] ?? over.stopped);
    if (request.method === 'GET' || request.method === 'HEAD') return formPage({ link, merchantName, memory });
    if (request.method !== 'POST') return messagePage(405, unreadable, { Allow: 'GET, HEAD, POST' });
    return begin(request, { link, merchantName, memory });
  };
}

interface Page {
  link: PaymentLink;
  memory: Memory;
}

async function begin(request: IncomingMessage, page: Page & { merchantName: string }): Promise<MockAnswer> {
  if (isCrossSite(request.headers)) return messagePage(403, otherSite);
  const { bytes, isWhole } = await readBytes(request, maxBytes);
  if (!isWhole) return messagePage(413, unreadable);
  const choice = choiceIn(parse(String(bytes)), page);
  if (typeof choice === 'string') return formPage({ ...page, problem: choice });
  const { accessCode } = page.memory.paymentLinks.begin(page.link, choice);
  return { status: 303, headers: { Location: `/checkout/${accessCode}` }, body: undefined };
}

/** Returns a sentence about the first problem of the form. */
function choiceIn(form: Record<string, unknown>, { link, memory }: Page): LinkChoice | string {
  const email = String(form.email ?? '').trim();
  if (emailProblem(email) !== null) return 'Enter an email address such as ada@example.com.';
  const quantity = link.quantity ?? Number(form.quantity ?? 1);
  if (link.maxQuantity !== null && !(Number.isInteger(quantity) && quantity >= 1 && quantity <= link.maxQuantity)) {
    return `Enter a quantity from 1 to ${link.maxQuantity}.`;
  }
  if (link.amount !== null || memory.paymentLinks.productOf(link)) return { email, amount: 0, quantity };
  const amount = Math.round(
    Number(String(form.amount ?? '').replaceAll(',', '')) * 10 ** minorUnitDigits(link.currency),
  );
  const [least, most] = [link.minAmount ?? 1, link.maxAmount ?? highestAmount];
  const money = (one: number) => moneyText(one, link.currency, { display: 'sign' });
  return amount >= least && amount <= most
    ? { email, amount, quantity }
    : `Enter an amount from ${money(least)} to ${money(most)}.`;
}

function formPage({
  link,
  memory,
  merchantName,
  problem,
}: Page & { merchantName: string; problem?: string }): MockAnswer {
  const product = memory.paymentLinks.productOf(link);
  const amount = product ? product.price * (link.quantity ?? 1) : link.amount;
  const digits = minorUnitDigits(link.currency);
  const suggested = link.suggestedAmount === null ? '' : String(link.suggestedAmount / 10 ** digits);
  return pageAnswer({
    title: `${link.name} – ${merchantName}`,
    status: problem === undefined ? 200 : 422,
    main: html`<p class="merchant">${merchantName}</p>
<h1>${link.name}</h1>
${amount !== null && html`<p class="amount">${moneyText(amount, link.currency, { display: 'sign' })}</p>`}
${link.description !== null && html`<p>${link.description}</p>`}
${problem !== undefined && html`<p class="notice">${problem}</p>`}
<form method="post">
${amount === null && html`<label>Amount in ${link.currency} <input name="amount" inputmode="decimal" required value="${suggested}"></label>`}
${link.maxQuantity !== null && html`<label>Quantity <input name="quantity" inputmode="numeric" required value="1"></label>`}
<label>Email <input name="email" type="email" required value="ada@example.com"></label>
<button class="primary">Continue to payment</button>
</form>`,
  });
}

const missing = [
  'Link not found',
  'There is no payment link at this address. The mock forgets what was created when it stops.',
] as const;
const unreadable = ['We could not read that', 'Nothing was changed. Go back to the page, and send its form.'] as const;
const otherSite = ['This form came from another site', 'Nothing was changed. Open the link itself.'] as const;
const over: Record<string, readonly [string, string]> & { stopped: readonly [string, string] } = {
  stopped: ['This link is no longer in use', 'The merchant takes no payments by it any more.'],
  expired: ['This link has expired', 'The time to pay by it has passed.'],
  limit_reached: ['This link takes no more payments', 'The merchant has received all payments that it was for.'],
};
