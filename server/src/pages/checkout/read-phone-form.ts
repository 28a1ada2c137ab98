import type { MobilePhone } from '../../kit/payment-method.ts';
import { inAsciiDigits } from './digits.ts';
import type { Phones } from './visit.ts';
import type { WordKey } from './words/catalogues.ts';

export type PhoneField = 'operator' | 'phone';

export type PhoneErrors = Partial<Record<PhoneField, Extract<WordKey, `problem.${string}`>>>;

export type PhoneEcho = Record<PhoneField, string>;

export type PhoneForm = { phone: MobilePhone } | { errors: PhoneErrors; echo: PhoneEcho };

export function readPhoneForm(body: unknown, phones: Phones): PhoneForm {
  const operator = phones.operators.find((known) => known === textOf(body, 'operator'));
  const typed = inAsciiDigits(textOf(body, 'phone'));
  const number = internationalNumber(typed, phones.countryCode);
  const problem = phoneProblem(typed, number, phones);
  if (operator && number && !problem) return { phone: { number, operator } };
  const errors: PhoneErrors = {
    ...(!operator && { operator: 'problem.operator.missing' }),
    ...(problem && { phone: problem }),
  };
  // A text that is no phone number may be a card number, so it is not shown again.
  return { errors, echo: { operator: operator ?? '', phone: number ? `+${number}` : '' } };
}

const maxLength = 40;

function textOf(body: unknown, field: PhoneField): string {
  const value = (body as Partial<Record<string, unknown>> | undefined)?.[field];
  return typeof value === 'string' ? value.trim().slice(0, maxLength) : '';
}

/** `0700 000 000`, `+254 700 000 000` and `00254 700 000 000` are the same number. */
function internationalNumber(typed: string, countryCode: string): string | null {
  const digits = typed.replace(/[\s().-]/g, '').replace(/^(?:\+|00)/, '');
  const number = digits.startsWith(countryCode) ? digits : `${countryCode}${digits.replace(/^0/, '')}`;
  return /^\d{11,13}$/.test(number) ? number : null;
}

function phoneProblem(typed: string, number: string | null, { testNumbers }: Phones): PhoneErrors['phone'] {
  if (typed === '') return 'problem.phone.missing';
  if (number === null) return 'problem.phone.wrong';
  return !testNumbers || testNumbers.some((known) => known.number === number)
    ? undefined
    : 'problem.phone.noTestNumber';
}
