import { type Html, html } from '../../kit/html.ts';
import { operatorName, type PaymentMethod, type PaymentMethodType } from '../../kit/payment-method.ts';
import { cardDescription } from './card-mark.ts';
import { detail } from './summary.ts';
import type { Visit } from './visit.ts';
import type { WordKey } from './words/catalogues.ts';

const names: Record<PaymentMethodType, WordKey> = {
  card: 'method.card',
  bank_transfer: 'method.bankTransfer',
  mobile_money: 'method.mobileMoney',
};

export function methodName({ words }: Visit, method: PaymentMethodType): string {
  return words.text(names[method]);
}

export function methodDescription(visit: Visit, method: PaymentMethod): Html {
  if (method.type === 'card') return cardDescription(visit, method);
  if (method.type === 'bank_transfer') return html`${methodName(visit, method.type)}`;
  const brand = operatorName(method.operator) ?? methodName(visit, method.type);
  const end = (ending: Html) => html`<span class="no-wrap">${ending}</span>`;
  return visit.words.html('card.ending', { brand, last4: method.last4, end });
}

export function methodDetail(visit: Visit): Html | null {
  const { paymentMethod } = visit.payment;
  const label = paymentMethod?.type === 'card' ? 'detail.card' : 'methods.heading';
  return detail(visit.words.text(label), paymentMethod && methodDescription(visit, paymentMethod));
}
