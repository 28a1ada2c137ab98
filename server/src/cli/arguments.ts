/**
 * The options, the arguments and the examples of the command line. A wrong value is refused with a message that names the allowed ones,
 * before the database is opened.
 */

import { emailProblem } from '@tillhook/openapi/rules/fields';
import { InvalidArgumentError, Option } from 'commander';
import ms from 'ms';
import { isId } from '../kit/ids.ts';
import { isCurrency } from '../kit/money.ts';
import { roles, type Scope, scopes } from '../kit/permissions.ts';
import { parseMoment, parseTime } from './moment.ts';

const overlaps = ['0', '1h', '24h', '7d'] as const;
const longestName = 120;
const longestReason = 200;

/** The example that ends the help of a command. It is copied and run, so it names real options. */
export const example = (line: string): string => `
Example:
  ${line}`;

/**
 * The most payments, refunds or deliveries that a list shows.
 * Choice: a list is read by a person, and a hundred lines are more than fit on a screen. `--csv` prints all payments.
 */
export const mostListed = 100;

export const modeOption = () =>
  new Option('--mode <mode>', 'test or live').choices(['test', 'live']).makeOptionMandatory();

export const merchantOption = () =>
  new Option('--merchant <id>', 'may be left out when there is one').argParser(parseId);

export const scopesOption = () =>
  new Option('--scopes <scopes>', `some of ${scopes.join(',')}; all when left out`).argParser(parseScopes);

export const overlapOption = () =>
  new Option('--overlap <time>', 'how long the old key still works').choices(overlaps).default(undefined, '24h');

/** One of the choices of `--overlap`. */
export type Overlap = (typeof overlaps)[number];

/** The overlap in milliseconds. Undefined when the option is left out; `rollApiKey` then uses its default. */
export const overlapMsOf = (overlap: Overlap | undefined) => overlap && ms(overlap);

export const currencyOption = () =>
  new Option('--currency <code>', 'the currency of requests that name none, such as NGN')
    .argParser(parseCurrency)
    .makeOptionMandatory();

export const nameOption = () =>
  new Option('--name <name>', 'as customers see it').argParser(parseName).makeOptionMandatory();

export const keyNameOption = () => new Option('--name <name>', 'what the key is for').argParser(parseName);

export const emailOption = () =>
  new Option('--email <email>', "the user's email address").argParser(parseEmail).makeOptionMandatory();

/** Of a user who is there already, perhaps with an address that a new user may not have. */
export const knownEmailOption = () =>
  new Option('--email <email>', "the user's email address").argParser(parseKnownEmail).makeOptionMandatory();

/** Of a new user. An operator has a merchant too, whose pages the dashboard shows first. */
export const ownerOption = () => merchantOption().default(undefined, 'the only one; for an operator, the oldest');

export const roleOption = () =>
  new Option('--role <role>', 'what the user may do; an operator manages all merchants')
    .choices(roles)
    .default('merchant');

export const offOption = () => new Option('--off', 'stop requiring it');

export const decisionOption = () =>
  new Option('--as <outcome>', 'completed or failed').choices(['completed', 'failed']).makeOptionMandatory();

export const reviewReasonOption = () =>
  new Option(
    '--reason <reason>',
    'what you decide about, when the payment is under review for several reasons',
  ).choices(['amount_mismatch', 'paid_twice', 'refund_without_funds', 'disputed']);

export const feeOption = () =>
  new Option('--amount <amount>', "in the minor unit of the merchant's currency, such as 2500 for 25.00; 0 for none")
    .argParser(parseFee)
    .makeOptionMandatory();

export const statusOption = () =>
  new Option('--status <status>', 'list only transfers with this status')
    .choices(['pending', 'processing', 'completed', 'failed', 'reversed'])
    .default(undefined, 'the open ones: pending and processing');

export const paymentStatusOption = () =>
  new Option('--status <status>', 'only payments with this status').choices([
    'pending',
    'processing',
    'completed',
    'failed',
    'expired',
  ]);

export const refundStatusOption = () =>
  new Option('--status <status>', 'only refunds with this status').choices([
    'pending',
    'processing',
    'completed',
    'failed',
  ]);

export const deliveryStatusOption = () =>
  new Option('--status <status>', 'only deliveries with this status').choices([
    'pending',
    'delivered',
    'failed',
    'skipped',
  ]);

export const endpointOption = () =>
  new Option('--endpoint <id>', 'only of this webhook endpoint, as deliveries list --json shows it').argParser(parseId);

export const missedStatusesOption = () =>
  new Option('--status <status>', 'only missed deliveries with this status')
    .choices(['failed', 'skipped'])
    .default(undefined, 'both');

export const sinceOption = () =>
  new Option('--since <time>', 'only what was created then or later: a time, or how long ago, such as 2h')
    .argParser(parseMoment)
    .makeOptionMandatory();

export const untilOption = () =>
  new Option('--until <time>', 'only what was created before: a time, or how long ago')
    .argParser(parseMoment)
    .default(undefined, 'now');

export const dryRunOption = (does: string) => new Option('--dry-run', does);

export const headersFileOption = () =>
  new Option('--headers <file>', 'the headers of the request: lines of Name: value, or JSON').makeOptionMandatory();

export const bodyFileOption = () =>
  new Option('--body <file>', 'the body, byte for byte as it was received').makeOptionMandatory();

export const receivedAtOption = () =>
  new Option('--at <time>', 'when it was received').argParser(parseTime).default(undefined, 'now');

export const fromOption = () =>
  new Option('--from <time>', 'only what was created then or later, such as 2026-11-01').argParser(parseTime);

export const toOption = () => new Option('--to <time>', 'only what was created before').argParser(parseTime);

export const csvOption = () => new Option('--csv', 'print all of them as a CSV file');

export const reasonOption = () =>
  new Option('--reason <reason>', 'what happened, in words that the merchant reads')
    .argParser(parseReason)
    .makeOptionMandatory();

export const codeOption = (standard: string) =>
  new Option('--code <code>', "the reason as a code for the merchant's program").argParser(parseCode).default(standard);

export function parseId(text: string): string {
  if (!isId(text)) throw new InvalidArgumentError('It is an id such as 01997c3e-6f1d-7cc0-8e0b-2f5d9a1b4c7e.');
  return text;
}

function parseScopes(text: string): Scope[] {
  const wanted = [...new Set(text.split(',').map((scope) => scope.trim()))];
  const isEachKnown = wanted.every((scope) => scopes.some((known) => known === scope));
  if (!isEachKnown) throw new InvalidArgumentError(`Allowed choices are ${scopes.join(', ')}, joined by commas.`);
  return wanted as Scope[];
}

function parseCurrency(text: string): string {
  if (!isCurrency(text)) throw new InvalidArgumentError('It is a code of ISO 4217, such as NGN.');
  return text;
}

const parseName = (text: string) => parseLine(text, longestName);

const parseReason = (text: string) => parseLine(text, longestReason);

function parseLine(text: string, longest: number): string {
  const line = text.trim();
  if (line.length === 0 || [...line].length > longest || /\p{Cc}/u.test(line)) {
    throw new InvalidArgumentError(`It is one line of at most ${longest} characters.`);
  }
  return line;
}

function parseCode(text: string): string {
  if (!/^[a-z][a-z0-9_]{0,59}$/.test(text)) throw new InvalidArgumentError('It is a code such as account_closed.');
  return text;
}

function parseFee(text: string): bigint {
  if (!/^\d{1,12}$/.test(text)) throw new InvalidArgumentError('It is a whole number from 0 to 999999999999.');
  return BigInt(text);
}

function parseKnownEmail(text: string): string {
  if (!/^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(text)) {
    throw new InvalidArgumentError('It is an address such as ada@example.com.');
  }
  return text;
}

function parseEmail(text: string): string {
  const problem = emailProblem(text);
  if (problem !== null) throw new InvalidArgumentError(`It ${problem}.`);
  return text;
}
