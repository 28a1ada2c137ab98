/** Pages of a pending payment that waits for a bank transfer, or for the customer's confirmation on the phone. */
import { type Html, html } from '../../kit/html.ts';
import { moment } from '../../kit/locale.ts';
import { decimalAmount } from '../../kit/money.ts';
import type { BankAccount } from '../../kit/payment-method.ts';
import { visitLayout } from './layout.ts';
import { methodDescription } from './method-words.ts';
import { refreshWithoutScript } from './outcome.page.ts';
import { sendingStatus, submitButton } from './submit-button.ts';
import { summary } from './summary.ts';
import { connectingPage, pollingPage } from './undecided.page.ts';
import { amountHtml, amountText, merchantHtml, pathOf, strong, type Visit } from './visit.ts';

const pollSeconds = 3;
/** A page that reloads while the customer copies from it is a nuisance, so it does so seldom. */
const reloadSeconds = 30;

export function waitingPage(visit: Visit): Html {
  const { attempt, payment } = visit;
  if (payment.waitsFor === 'mobile_money') return phonePage(visit);
  return attempt?.account ? transferPage(visit, attempt.account) : connectingPage(visit);
}

function phonePage(visit: Visit): Html {
  const { payment, words } = visit;
  const phone = payment.paymentMethod ? methodDescription(visit, payment.paymentMethod) : '';
  return pollingPage(visit, {
    step: 'sent',
    heading: words.text('phone.heading'),
    lead: words.html('phone.lead', { b: strong, amount: amountHtml(visit), phone }),
    meanwhile: words.html('processing.meanwhile', { merchant: merchantHtml(visit) }),
    whenSlow: words.text('phone.slow'),
    again: words.text('processing.again'),
    otherwise: html`
<a class="button secondary" href="${pathOf(visit)}/back" rel="nofollow">${words.text('wait.other')}</a>`,
  });
}

function transferPage(visit: Visit, account: BankAccount): Html {
  const { words, payment, merchantName } = visit;
  const path = pathOf(visit, 'sent');
  const heading = words.text('transfer.heading', { amount: amountText(visit) });
  return visitLayout(visit, {
    title: words.text('page.title', { heading, merchant: merchantName }),
    style: 'form',
    head: html`<link rel="stylesheet" href="${visit.base}/assets/methods.css">
<link rel="stylesheet" href="${visit.base}/assets/test-cards.css">
${refreshWithoutScript(path, reloadSeconds)}`,
    main: html`<main class="checkout">
${summary(visit, { countdown: null })}
<section class="panel pay" aria-labelledby="pay-heading">
<h1 id="pay-heading">${words.html('transfer.heading', { amount: amountHtml(visit) })}</h1>
<p>${words.html('transfer.exact', { b: strong })}</p>
${accountDetails(visit, account)}
<p class="awaited"><span class="spinner" aria-hidden="true"></span> <span>${words.text('transfer.waiting')}</span></p>
<p class="method-note">${words.html('transfer.close', { merchant: merchantHtml(visit) })}</p>
<a class="button secondary" href="${path}" data-poll="${pollSeconds}">${words.text('processing.again')}</a>
${visit.methods.length > 1 && html`<p class="leave"><a href="${pathOf(visit)}/back" rel="nofollow">${words.text('wait.other')}</a></p>`}
</section>
${payment.mode === 'test' && simulation(visit)}
</main>`,
  });
}

function accountDetails(visit: Visit, account: BankAccount): Html {
  const { words, payment, locale } = visit;
  const isIban = /^[A-Z]{2}\d\d /.test(account.number);
  const until = new Date(Math.min(payment.expiresAt.getTime(), Date.parse(account.expiresAt)));
  const amount = decimalAmount(Number(payment.amount), payment.currency);
  const numberLabel = isIban ? 'IBAN' : words.text('transfer.account');
  return html`<dl class="details account">
${row(visit, numberLabel, html`<strong><bdi dir="ltr">${account.number}</bdi></strong>`, account.number)}
${row(visit, words.text('transfer.bank'), html`<bdi>${account.bank}</bdi>`)}
${row(visit, words.text('transfer.holder'), html`<bdi>${account.holder}</bdi>`)}
${row(visit, words.text('detail.amount'), html`<strong>${amountHtml(visit)}</strong>`, amount)}
${row(visit, words.text('detail.reference'), html`<strong><bdi dir="ltr">${account.reference}</bdi></strong>`, account.reference)}
${row(visit, words.text('transfer.until'), moment(until, locale))}
</dl>
<p class="visually-hidden" role="status" data-copy-status></p>`;
}

/** Only a script can copy, so the script shows the button. */
function row({ words }: Visit, label: string, value: Html, copied?: string): Html {
  return html`<div><dt>${label}</dt><dd>${value}</dd>${
    copied &&
    html`<dd class="copy"><button type="button" data-copy="${copied}" data-copied="${words.text('copy.done')}" aria-label="${words.text('copy.this', { what: label })}" hidden>${words.text('copy.copy')}</button></dd>`
  }</div>`;
}

/** In test mode no money comes by itself, so the developer sends it. */
function simulation(visit: Visit): Html {
  const { words, nonce, payment } = visit;
  const button = (value: Money, label: string) =>
    submitButton({ name: 'money', value, label, busyLabel: words.text('leave.busy'), look: 'secondary' });
  return html`<details class="test-cards" open>
<summary>${words.text('simulate.heading')}</summary>
<p>${words.text('simulate.rest')}</p>
<form class="simulation" method="post" action="${pathOf(visit)}/simulate" data-once>
<input type="hidden" name="nonce" value="${nonce}">
${button('exact', words.text('simulate.exact'))}
${payment.amount > 1n && button('short', words.text('simulate.short'))}
${button('over', words.text('simulate.over'))}
${sendingStatus}
</form>
</details>`;
}

type Money = 'exact' | 'short' | 'over';

/** Null when the customer pressed none of the buttons. */
export function simulatedAmount(body: unknown, amount: bigint): bigint | null {
  const { money } = (body ?? {}) as { money?: unknown };
  const difference = (amount + 9n) / 10n;
  if (money === 'exact') return amount;
  if (money === 'over') return amount + difference;
  return money === 'short' && amount > 1n ? amount - difference : null;
}
