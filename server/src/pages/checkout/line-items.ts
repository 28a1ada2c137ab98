import { type Html, html } from '../../kit/html.ts';
import { formatCount } from '../../kit/locale.ts';
import { formatAmount } from '../../kit/money.ts';
import type { LineItem } from '../../money/payments/payment.entity.ts';
import { amountHtml, moneyHtml, type Visit } from './visit.ts';

/** The maximum number of visible items. More items are in a `details` element, which works without script. */
const maxVisible = 5;

/** On phones, the items above a form are folded, so that the form is at the top of the page. */
export function foldingLineItems(visit: Visit): Html | null {
  const { payment, words, locale } = visit;
  const quantity = payment.lineItems?.length ?? 0;
  if (quantity < 2) return lineItems(visit);
  // The list is beside the `details` element and not in it, because on wide screens a style sheet shows it always.
  return html`<details class="items-fold">
<summary><span>${words.text('items.label')} (${count(quantity, locale)})</span> ${amountHtml(visit)}</summary>
</details>
${lineItems(visit)}`;
}

export function lineItems(visit: Visit): Html | null {
  const items = visit.payment.lineItems ?? [];
  if (items.length === 0) return null;
  // A `details` element for a single item would take as much room as the item, so the item is shown.
  const shown = items.length > maxVisible + 1 ? items.slice(0, maxVisible) : items;
  const folded = items.slice(shown.length);
  return html`<div class="line-items" role="group" aria-label="${visit.words.text('items.label')}">
${list(visit, shown)}
${
  folded.length > 0 &&
  html`<details>
<summary>${visit.words.text('items.more', { count: folded.length })}</summary>
${list(visit, folded)}
</details>`
}
</div>`;
}

function list({ payment, locale }: Visit, items: readonly LineItem[]): Html {
  const money = (amount: number) => moneyHtml(formatAmount(amount, payment.currency, locale), locale);
  return html`<ul>${items.map(
    ({ name, quantity, unitAmount }) => html`<li>
<span class="item-name"><bdi>${name}</bdi>${
      quantity > 1 && html` <span class="item-count">${count(quantity, locale)} × ${money(unitAmount)}</span>`
    }</span>
<span class="item-total">${money(quantity * unitAmount)}</span>
</li>`,
  )}</ul>`;
}

function count(quantity: number, locale: string): Html {
  return html`<bdi lang="${locale}">${formatCount(quantity, locale)}</bdi>`;
}
