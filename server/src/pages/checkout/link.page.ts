/** The page of a payment link, on which the customer enters what the checkout needs. */
import { type Fragment, type Html, html } from '../../kit/html.ts';
import { formatCount, moment } from '../../kit/locale.ts';
import { formatAmount } from '../../kit/money.ts';
import {
  entersAmount,
  maxAmount as highestAmount,
  type LinkState,
  quantitiesOf,
} from '../../money/payment-links/link-checkouts.service.ts';
import { icons, layout, merchantHeader } from './layout.ts';
import type { LinkVisit } from './link-visit.ts';
import { merchantFoot } from './merchant-foot.ts';
import type { LinkEcho, LinkErrors, LinkField, LinkProblem } from './read-link-form.ts';
import { sendingStatus, submitButton } from './submit-button.ts';
import { typedAmount } from './typed-amount.ts';
import { merchantHtml, moneyHtml } from './visit.ts';
import type { WordKey } from './words/catalogues.ts';

interface Entered {
  errors: LinkErrors;
  echo: LinkEcho;
}

export function linkPage(visit: LinkVisit, entered?: Entered): Html {
  const { state } = visit.opened;
  return state === 'active' ? formPage(visit, entered) : overPage(visit, state);
}

function linkLayout(visit: LinkVisit, page: { title: string; style: 'form' | 'outcome'; main: Html }): Html {
  const { words, base, colour, opened } = visit;
  return layout({ ...page, words, base, colour, isTest: opened.link.mode === 'test', foot: merchantFoot(visit) });
}

function titleOf({ words, merchantName, opened }: LinkVisit): string {
  return words.text('page.title', { heading: opened.link.name, merchant: merchantName });
}

function formPage(visit: LinkVisit, entered: Entered = { errors: {}, echo: startOf(visit) }): Html {
  const { words, opened } = visit;
  const title = titleOf(visit);
  const hasErrors = Object.keys(entered.errors).length > 0;
  return linkLayout(visit, {
    title: hasErrors ? words.text('form.errorTitle', { title }) : title,
    style: 'form',
    main: html`<main class="checkout">
<section class="summary" aria-labelledby="link-name">
${merchantHeader(visit)}
<h1 class="link-name" id="link-name"><bdi>${opened.link.name}</bdi></h1>
${price(visit)}
${opened.link.description && html`<p class="description link-text"><bdi>${opened.link.description}</bdi></p>`}
</section>
<section class="panel pay" aria-labelledby="pay-heading">
<h2 id="pay-heading">${words.text('link.details')}</h2>
${errorSummary(visit, entered)}
<form method="post" data-once>
${fields(visit, entered)}
${submitButton({ label: words.text('link.continue'), busyLabel: words.text('start.paying') })}
${sendingStatus}
</form>
</section>
</main>`,
  });
}

function startOf({ opened: { link }, locale }: LinkVisit): LinkEcho {
  const { suggestedAmount, currency } = link;
  return {
    email: '',
    amount: suggestedAmount == null ? '' : typedAmount(suggestedAmount, { currency, locale }),
    quantity: formatCount(1, locale),
  };
}

function price(visit: LinkVisit): Html | null {
  const { link, product } = visit.opened;
  if (!product) return link.amount == null ? null : html`<p class="amount">${money(visit, link.amount)}</p>`;
  const quantity = link.quantity ?? 1;
  const total = html`<p class="amount">${money(visit, product.price * BigInt(quantity))}</p>`;
  const isSingle = quantity === 1 && link.maxQuantity == null && product.name === link.name;
  return html`${total}${!isSingle && html`<p class="description">${each(visit, quantity)}</p>`}`;
}

/** Such as "3 × Enamel mug". */
function each({ opened: { product }, locale }: LinkVisit, quantity: number): Html {
  return html`${quantity > 1 && html`<bdi lang="${locale}">${formatCount(quantity, locale)}</bdi> × `}<bdi>${product?.name ?? ''}</bdi>`;
}

function money({ opened: { link }, locale }: LinkVisit, amount: bigint): Html {
  return moneyHtml(formatAmount(Number(amount), link.currency, locale), locale);
}

function errorSummary(visit: LinkVisit, { errors }: Entered): Html | false {
  const found = Object.entries(errors) as [LinkField, LinkProblem][];
  return (
    found.length > 0 &&
    html`<div class="alert" id="error-summary" tabindex="-1" autofocus>
<div role="alert">
<p>${visit.words.text('form.mistakes')}</p>
<ul>${found.map(([field, problem]) => html`<li><a href="#${field}">${problemText(visit, problem)}</a></li>`)}</ul>
</div>
</div>`
  );
}

function problemText({ words, opened, locale }: LinkVisit, problem: LinkProblem): string {
  const { currency, minAmount, maxAmount } = opened.link;
  const amount = (one: bigint | null | undefined, otherwise: bigint) =>
    formatAmount(Number(one ?? otherwise), currency, locale);
  const { least, most } = limitsOf(opened);
  return words.text(problem, {
    leastAmount: amount(minAmount, 1n),
    mostAmount: amount(maxAmount, highestAmount),
    example: typedAmount(minAmount ?? 500_000n, { currency, locale }),
    currency,
    least,
    most,
  });
}

/** Stock can be unlimited, but no quantity is above 9,999. */
function limitsOf(opened: LinkVisit['opened']): { least: number; most: number } {
  const { least, most } = quantitiesOf(opened);
  return { least, most: Math.min(most, 9999) };
}

function fields(visit: LinkVisit, entered: Entered): Fragment {
  const { words, opened } = visit;
  const { link } = opened;
  return html`${
    entersAmount(opened) &&
    input(visit, entered, {
      name: 'amount',
      label: words.text('link.amount', { currency: link.currency }),
      hint: amountHint(visit),
      attributes: html`inputmode="decimal" autocomplete="transaction-amount" maxlength="40" dir="ltr"`,
    })
  }${
    link.maxQuantity != null &&
    input(visit, entered, {
      name: 'quantity',
      label: words.text('link.quantity'),
      hint: words.text('link.quantityHint', { most: limitsOf(opened).most }),
      attributes: html`inputmode="numeric" autocomplete="off" maxlength="10" dir="ltr"`,
    })
  }${input(visit, entered, {
    name: 'email',
    label: words.text('detail.email'),
    attributes: html`type="email" autocomplete="email" maxlength="254" dir="ltr"`,
  })}`;
}

function amountHint({ words, opened, locale }: LinkVisit): string | undefined {
  const { minAmount, maxAmount, currency } = opened.link;
  const text = (amount: bigint) => formatAmount(Number(amount), currency, locale);
  if (minAmount != null && maxAmount != null) {
    return words.text('link.between', { least: text(minAmount), most: text(maxAmount) });
  }
  if (minAmount != null) return words.text('link.atLeast', { least: text(minAmount) });
  return maxAmount == null ? undefined : words.text('link.atMost', { most: text(maxAmount) });
}

interface Input {
  name: LinkField;
  label: string;
  hint?: string | undefined;
  attributes: Html;
}

function input(visit: LinkVisit, { errors, echo }: Entered, { name, label, hint, attributes }: Input): Html {
  const problem = errors[name];
  return html`<div class="field">
<label for="${name}">${label}</label>
<div class="box">
<input id="${name}" name="${name}" required spellcheck="false" value="${echo[name]}" aria-describedby="${hint && `${name}-hint `}${name}-error" ${attributes}${problem && html` aria-invalid="true"`}>
</div>
${hint && html`<p class="field-hint" id="${name}-hint">${hint}</p>`}
<p class="field-error" id="${name}-error"${!problem && html` hidden`}>${problem && problemText(visit, problem)}</p>
</div>`;
}

type Over = Exclude<LinkState, 'active'>;

const headings: Record<Over, WordKey> = {
  stopped: 'link.stopped.heading',
  expired: 'expired.heading',
  limit_reached: 'link.full.heading',
  unavailable: 'link.unavailable.heading',
};

function overPage(visit: LinkVisit, state: Over): Html {
  const { words, merchantName } = visit;
  const heading = words.text(headings[state]);
  return linkLayout(visit, {
    title: words.text('page.title', { heading, merchant: merchantName }),
    style: 'outcome',
    main: html`<main class="panel outcome waiting">
${merchantHeader(visit)}
<div class="badge">${state === 'expired' ? icons.clock : icons.cross}</div>
<h1>${heading}</h1>
<p class="lead">${leadOf(visit, state)}</p>
<p>${words.html('expired.askForLink', { merchant: merchantHtml(visit) })}</p>
</main>`,
  });
}

function leadOf(visit: LinkVisit, state: Over): Html {
  const { words, opened, locale } = visit;
  const merchant = merchantHtml(visit);
  const name = html`<bdi>${opened.link.name}</bdi>`;
  switch (state) {
    case 'stopped':
      return words.html('link.stopped.lead', { merchant });
    case 'expired':
      return words.html('link.expired.lead', { date: moment(opened.link.expiresAt ?? new Date(0), locale) });
    case 'limit_reached':
      return words.html('link.full.lead', { merchant });
    case 'unavailable':
      return words.html('link.unavailable.lead', { name });
  }
}
