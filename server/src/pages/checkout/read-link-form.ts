import { emailProblem } from '@tillhook/openapi/rules/fields';
import {
  entersAmount,
  type LinkChoice,
  problemOf,
  quantitiesOf,
} from '../../money/payment-links/link-checkouts.service.ts';
import { inAsciiDigits } from './digits.ts';
import type { LinkVisit } from './link-visit.ts';
import { readTypedAmount } from './typed-amount.ts';
import type { WordKey } from './words/catalogues.ts';

export type LinkField = 'email' | 'amount' | 'quantity';

export type LinkErrors = Partial<Record<LinkField, LinkProblem>>;

export type LinkProblem = Extract<WordKey, `linkProblem.${string}`>;

export type LinkEcho = Record<LinkField, string>;

export type LinkForm = { echo: LinkEcho } & ({ choice: LinkChoice } | { errors: LinkErrors });

/** A customer may type spaces around the amount and a currency sign. */
const maxTyped = 254;

export function readLinkForm(body: unknown, visit: LinkVisit): LinkForm {
  const { link } = visit.opened;
  const echo: LinkEcho = {
    email: textOf(body, 'email'),
    amount: textOf(body, 'amount'),
    quantity: textOf(body, 'quantity'),
  };
  const amount = readTypedAmount(echo.amount, { currency: link.currency, locale: visit.locale });
  const quantity = link.maxQuantity == null ? quantitiesOf(visit.opened).least : readQuantity(echo.quantity);
  const choice = { email: echo.email, amount: amount ?? 0n, quantity };
  const found = problemOf(visit.opened, choice);
  const isEntered = entersAmount(visit.opened);
  // In the order of the fields on the page.
  const errors: LinkErrors = {
    ...(isEntered && echo.amount === '' && { amount: 'linkProblem.amount.missing' }),
    ...(isEntered && echo.amount !== '' && amount === null && { amount: 'linkProblem.amount.wrong' }),
    ...(amount !== null && found === 'amount.low' && { amount: 'linkProblem.amount.low' }),
    ...(amount !== null && found === 'amount.high' && { amount: 'linkProblem.amount.high' }),
    ...(found === 'quantity.wrong' && { quantity: 'linkProblem.quantity.wrong' }),
    ...emailErrors(echo.email),
  };
  return Object.keys(errors).length === 0 ? { choice, echo } : { errors, echo };
}

function emailErrors(email: string): LinkErrors {
  if (email === '') return { email: 'linkProblem.email.missing' };
  return emailProblem(email) === null ? {} : { email: 'linkProblem.email.wrong' };
}

/** Returns 0, which no link accepts, for a text that is no whole number. */
function readQuantity(typed: string): number {
  const digits = inAsciiDigits(typed).replace(/\s/g, '');
  return /^\d{1,4}$/.test(digits) ? Number(digits) : 0;
}

function textOf(body: unknown, field: LinkField): string {
  const value: unknown = Object(body)[field];
  return typeof value === 'string' ? value.trim().slice(0, maxTyped + 1) : '';
}
