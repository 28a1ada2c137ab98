/**
 * The page never shows a submitted card number or CVC again. It shows the expiry date and the name again only when they
 * cannot contain a card number that was typed into the wrong field.
 */
import { brandOf, brandRules, type Card } from '../../kit/card.ts';
import type { CardDetails, TestCard } from '../../processors/port.ts';
import { inAsciiDigits } from './digits.ts';
import type { WordKey } from './words/catalogues.ts';

export type CardField = 'cardNumber' | 'expiry' | 'cvc' | 'cardName';

export type CardErrors = Partial<Record<CardField, CardProblem>>;

export type CardEcho = Record<'expiry' | 'cardName', string>;

export type CardForm = { card: CardDetails } | { errors: CardErrors; echo: CardEcho };

/** The keys of each field's error messages in the catalogues. */
export const problems = {
  cardNumber: {
    missing: 'problem.cardNumber.missing',
    wrong: 'problem.cardNumber.wrong',
    noTestCard: 'problem.cardNumber.noTestCard',
  },
  expiry: { missing: 'problem.expiry.missing', wrong: 'problem.expiry.wrong', past: 'problem.expiry.past' },
  cvc: {
    missing: 'problem.cvc.missing',
    wrong: 'problem.cvc.wrong',
    wrongOfThree: 'problem.cvc.wrongOfThree',
    wrongOfFour: 'problem.cvc.wrongOfFour',
  },
  cardName: { missing: 'problem.cardName.missing', wrong: 'problem.cardName.wrong' },
} as const satisfies Record<CardField, Record<string, WordKey>>;

export type CardProblem = Extract<WordKey, `problem.${string}`>;

interface Checks {
  now: Date;
  testCards: readonly TestCard[];
}

export function readCardForm(body: unknown, { now, testCards }: Checks): CardForm {
  const typed = (field: CardField) => textOf(body, field);
  const number = inAsciiDigits(typed('cardNumber')).replace(/[\s-]/g, '');
  const expiry = parseExpiry(inAsciiDigits(typed('expiry')));
  const cvc = inAsciiDigits(typed('cvc')).replace(/\s/g, '');
  const name = typed('cardName').replace(/\s+/g, ' ');
  const errors = onlyProblems({
    cardNumber: numberProblem(number, testCards),
    expiry: expiryProblem(typed('expiry'), expiry, now),
    cvc: codeProblem(cvc, number),
    cardName: nameProblem(name),
  });
  if (expiry && Object.keys(errors).length === 0) return { card: { number, ...expiry, cvc, name } };
  return { errors, echo: echoOf({ expiry, name }) };
}

export function echoOfCard({ name, ...expiry }: CardDetails): CardEcho {
  return echoOf({ expiry, name });
}

function echoOf({ expiry, name }: { expiry: Expiry | null; name: string }): CardEcho {
  return { expiry: expiry ? formatExpiry(expiry) : '', cardName: isCardName(name) ? name : '' };
}

export function cardSummary({ number }: CardDetails): Card {
  return { brand: brandOf(number), last4: number.slice(-4) };
}

export function passesLuhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

const maxTextLength = 100;

/** Matches digits of any script that may be a card number in the wrong field. */
const wholeNumber = /(?:\p{Nd}[\s-]{0,3}){12}/u;

/** The name may contain digits, because the names on some company cards do. */
function isCardName(name: string): boolean {
  return /^\P{Cc}{1,100}$/u.test(name) && !wholeNumber.test(name);
}

function textOf(body: unknown, field: CardField): string {
  const value = (body as Partial<Record<string, unknown>> | undefined)?.[field];
  return typeof value === 'string' ? value.trim().slice(0, maxTextLength + 1) : '';
}

function numberProblem(number: string, testCards: Checks['testCards']): CardProblem | undefined {
  if (number === '') return problems.cardNumber.missing;
  if (!hasLengthOfBrand(number) || !passesLuhn(number)) return problems.cardNumber.wrong;
  return testCards.some((known) => known.number === number) ? undefined : problems.cardNumber.noTestCard;
}

const minNumberLength = 12;
const maxNumberLength = 19;

function hasLengthOfBrand(number: string): boolean {
  const { groups } = brandRules(number) ?? {};
  if (groups) return /^\d+$/.test(number) && number.length === groups.reduce((sum, size) => sum + size);
  return /^\d+$/.test(number) && number.length >= minNumberLength && number.length <= maxNumberLength;
}

type Expiry = Pick<CardDetails, 'expiryMonth' | 'expiryYear'>;

/** `2030-09` and `203009` are accepted too, because the HTML standard lets browsers autofill this format. */
function parseExpiry(typed: string): Expiry | null {
  const { month, year } =
    /^(?<month>0?[1-9]|1[0-2])\s*[/.-]\s*(?<year>(?:20)?\d{2})$/.exec(typed)?.groups ??
    /^(?<month>0[1-9]|1[0-2])(?<year>(?:20)?\d{2})$/.exec(typed)?.groups ??
    /^(?<year>20\d{2})\s*[/.-]?\s*(?<month>0[1-9]|1[0-2])$/.exec(typed)?.groups ??
    {};
  return month && year ? { expiryMonth: Number(month), expiryYear: 2000 + (Number(year) % 100) } : null;
}

function formatExpiry({ expiryMonth, expiryYear }: Expiry): string {
  return `${String(expiryMonth).padStart(2, '0')} / ${String(expiryYear % 100).padStart(2, '0')}`;
}

/** A card is valid until the end of its month. */
function expiryProblem(typed: string, expiry: Expiry | null, now: Date): CardProblem | undefined {
  if (typed === '') return problems.expiry.missing;
  if (!expiry) return problems.expiry.wrong;
  const isPast = expiry.expiryYear * 12 + expiry.expiryMonth - 1 < now.getUTCFullYear() * 12 + now.getUTCMonth();
  return isPast ? problems.expiry.past : undefined;
}

/** A number of an unknown brand is refused anyway, so its CVC may have three or four digits. */
function codeProblem(cvc: string, number: string): CardProblem | undefined {
  const length = brandRules(number)?.codeLength;
  if (cvc === '') return problems.cvc.missing;
  if (/^\d{3,4}$/.test(cvc) && (!length || cvc.length === length)) return undefined;
  if (!length) return problems.cvc.wrong;
  return length === 4 ? problems.cvc.wrongOfFour : problems.cvc.wrongOfThree;
}

function nameProblem(name: string): CardProblem | undefined {
  if (name === '') return problems.cardName.missing;
  return isCardName(name) ? undefined : problems.cardName.wrong;
}

function onlyProblems(found: Record<CardField, CardProblem | undefined>): CardErrors {
  return Object.fromEntries(Object.entries(found).filter(([, problem]) => problem !== undefined));
}
