/**
 * The response reports the problems that no schema can express together with the problems that the validator finds.
 * See docs/decisions/requests.md, "One answer names all problems of a request".
 */
import type { ModelOperation } from '../model/model.ts';
import type { AddressOwner, Schema } from '../model/schema.ts';
import { currencies, unknownCurrency } from './currencies.ts';
import { localeProblem, timeZoneProblem } from './fields.ts';
import { plainWords, valueAt } from './plain-words.ts';
import { maxProblems, type Problem, placeOf } from './problems.ts';
import type { Shortened } from './shorten.ts';

export interface Sent extends Shortened {
  queryNames: readonly string[];
  /** The JSON pointers of the strings in the body that Postgres cannot store. */
  unstorable: readonly string[];
  addressProblem(address: string, owner: AddressOwner | undefined): string | null;
}

export function allProblems(
  bySchema: readonly Problem[],
  sent: Sent,
  operation: ModelOperation | undefined,
): Problem[] {
  const found = [
    ...withinLimits(bySchema, sent).map((problem) => inPlainWords(problem, sent)),
    ...unknownQueries(sent, operation),
    ...exclusiveQueries(sent),
    ...unstorableStrings(sent),
  ];
  const places = new Set(found.map(placeOf));
  // A field that breaks its schema is not checked further.
  const inFields = fieldProblems(sent, operation).filter((problem) => !places.has(placeOf(problem)));
  return [...found, ...inFields, ...sumProblems(sent, operation, found)];
}

const limits = ['maxItems', 'maxProperties', 'maxLength'];

/** If a value exceeds its maximum length, keeps only this problem, and drops other problems of the value. */
function withinLimits(problems: readonly Problem[], sent: Sent): readonly Problem[] {
  const broken = problems.filter((problem) => limits.includes(problem.rule) && isValueOf(problem, sent));
  if (broken.length === 0) return problems;
  const places = new Set(broken.map(placeOf));
  return problems.filter((problem) => {
    const keys = placeOf(problem).split('/');
    const isInside = keys.some((_, index) => index > 0 && places.has(keys.slice(0, index).join('/')));
    return !isInside && (!places.has(placeOf(problem)) || broken.includes(problem));
  });
}

/** The validator reports an invalid field name as a problem of the object that contains the field. */
function isValueOf({ part, pointer, rule }: Problem, sent: Sent): boolean {
  const value = part === 'body' || part === 'query' ? valueAt(sent[part], pointer) : undefined;
  return typeof value === (rule === 'maxLength' ? 'string' : 'object');
}

/** Only an empty query value is not parsed as a list, so `must be array` means that the value is empty. */
function inPlainWords(problem: Problem, sent: Sent): Problem {
  const { part, pointer, message } = problem;
  if (part === 'query' && message === 'must be array') return { ...problem, message: 'must not be empty' };
  const value = part === 'body' || part === 'query' ? valueAt(sent[part], pointer) : undefined;
  return { ...problem, message: plainWords(problem, value, sent.wholeLengths.get(placeOf(problem))) };
}

/** The sum is checked only when the list and the amount fit their schemas. */
function sumProblems({ body }: Sent, operation: ModelOperation | undefined, found: readonly Problem[]): Problem[] {
  const isBroken = (name: string) =>
    found.some(({ part, pointer }) => part === 'body' && `${pointer}/`.startsWith(`/${name}/`));
  return Object.entries(operation?.body?.schema.properties ?? {}).flatMap(([name, { 'x-adds-up-to': total }]) => {
    if (total === undefined || isBroken(name) || isBroken(total)) return [];
    const message = sumProblem(Object(body)[name], { name: total, value: Object(body)[total] });
    return message === null ? [] : [{ part: 'body', pointer: `/${name}`, rule: 'sum', message }];
  });
}

function unknownQueries({ queryNames }: Sent, operation: ModelOperation | undefined): Problem[] {
  const known = queryParameters(operation).map(({ name }) => name);
  const unknown = queryNames.filter((name) => !known.includes(name)).slice(0, maxProblems);
  return unknown.map((name) => ({ part: 'query', pointer: `/${name}`, rule: 'unknown', message: '' }));
}

/** `wait` is also rejected with `after` and `order=desc`, which read older records: no older record can appear. */
function exclusiveQueries({ query, queryNames }: Sent): Problem[] {
  const isSent = (name: string) => queryNames.includes(name);
  const isBackwards = isSent('after') && Object(query).order === 'desc';
  const pairs: [isExcluded: boolean, name: string, others: string][] = [
    [isSent('after'), 'offset', 'after'],
    [isSent('wait'), 'offset', 'wait'],
    [isBackwards, 'wait', 'both after and order=desc'],
  ];
  const excluded = pairs.filter(([isExcluded, name]) => isExcluded && isSent(name));
  return excluded.map(([, name, others]) => ({
    part: 'query',
    pointer: `/${name}`,
    rule: 'exclusive',
    message: `must not be sent together with ${others}`,
  }));
}

function unstorableStrings({ unstorable }: Sent): Problem[] {
  const message = 'must not contain U+0000 or half of a surrogate pair';
  return unstorable.map((pointer) => ({ part: 'body', pointer, rule: 'characters', message }));
}

function fieldProblems(sent: Sent, operation: ModelOperation | undefined): Problem[] {
  const { body, query, addressProblem } = sent;
  const fields = [
    ...fieldsIn('body', body, Object.entries(operation?.body?.schema.properties ?? {})),
    ...fieldsIn(
      'query',
      query,
      queryParameters(operation).map(({ name, schema }) => [name, schema]),
    ),
  ];
  const isAddress = ({ schema }: Field) => schema['x-error-code'] === 'invalid_url';
  return [
    ...problemsOf(fields.filter(isAddress), 'invalid_url', ({ value, schema }) =>
      addressProblem(value, schema['x-address-of']),
    ),
    ...problemsOf(fields, 'unsupported_currency', currencyProblem),
    ...problemsOf(
      fields,
      'invalid_parameter',
      ({ value, schema }) => namedProblems[schema.name ?? '']?.(value) ?? null,
    ),
  ];
}

const namedProblems: Record<string, (value: string) => string | null> = {
  Locale: localeProblem,
  MerchantTimeZone: timeZoneProblem,
  TimeZone: timeZoneProblem,
};

function queryParameters(operation: ModelOperation | undefined) {
  return (operation?.parameters ?? []).filter((parameter) => parameter.in === 'query');
}

interface Field {
  part: 'body' | 'query';
  name: string;
  value: string;
  schema: Schema;
}

function fieldsIn(part: Field['part'], values: unknown, schemas: [name: string, schema: Schema][]): Field[] {
  if (values === null || typeof values !== 'object') return [];
  return schemas.flatMap(([name, schema]) => {
    const value: unknown = Object.hasOwn(values, name) ? Reflect.get(values, name) : undefined;
    return typeof value === 'string' ? [{ part, name, value, schema }] : [];
  });
}

function problemsOf(fields: Field[], rule: string, problemIn: (field: Field) => string | null): Problem[] {
  return fields.flatMap((field) => {
    const message = problemIn(field);
    return message ? [{ part: field.part, pointer: `/${field.name}`, rule, message }] : [];
  });
}

function currencyProblem({ value, schema }: Field): string | null {
  return schema.name !== 'Currency' || currencies.has(value) ? null : unknownCurrency;
}

interface Total {
  name: string;
  value: unknown;
}

/**
 * The sum is a `bigint`, because the sum of 50 large items can exceed the safe integers.
 * See docs/decisions/checkout-page.md, "Line items must add up to the amount".
 */
function sumProblem(items: unknown, { name, value }: Total): string | null {
  const sum = Array.isArray(items) ? sumOf(items) : null;
  if (sum === null || !Number.isSafeInteger(value) || sum === BigInt(Number(value))) return null;
  return `must add up to ${name}: the items make ${sum}, and ${name} is ${value}`;
}

/** Null when an item has no valid quantity or unit amount. */
function sumOf(items: readonly unknown[]): bigint | null {
  const amounts = items.map(amountOf);
  return amounts.every((amount) => amount !== null) ? amounts.reduce((sum, amount) => sum + amount, 0n) : null;
}

function amountOf(item: unknown): bigint | null {
  const { quantity, unitAmount } = Object(item);
  const isCounted = Number.isSafeInteger(quantity) && Number.isSafeInteger(unitAmount);
  return isCounted ? BigInt(quantity) * BigInt(unitAmount) : null;
}
