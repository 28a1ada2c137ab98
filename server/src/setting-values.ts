/**
 * How the text of a setting is read: what it may be, and what it becomes. `config.ts` says which settings there are.
 */
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { parseCidrs } from './kit/address-policy.ts';
import { parseRatePolicies } from './kit/rate-policies.ts';

export const flag = oneOf('true', 'false').transform((value) => value === 'true');

export function oneOf<const Choices extends readonly [string, ...string[]]>(...choices: Choices) {
  const [last, ...others] = choices.toReversed();
  const listed = others.length > 0 ? `${others.toReversed().join(', ')} or ${last}` : last;
  return z.enum(choices, { error: `must be ${listed}` });
}

export function wholeNumber(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .transform((text) => (/^\s*\d+\s*$/.test(text) ? Number(text) : Number.NaN))
    .refine((number) => number >= min && number <= max, { error });
}

export function address(example: string, protocol: RegExp) {
  return z.url({ protocol, error: `must be an address such as ${example}` });
}

export const retryDelays = z
  .string()
  .transform((list) => (list.trim() === '' ? [] : list.split(',').map((item) => Number(item.trim()))))
  .refine((delays) => delays.length <= 3, 'must hold at most three delays')
  .refine((delays) => delays.every((delay) => Number.isInteger(delay) && delay >= 0), 'must hold whole milliseconds');

/** The standard names of OpenTelemetry. */
const samplers = [
  'parentbased_always_on',
  'parentbased_traceidratio',
  'parentbased_always_off',
  'always_on',
  'traceidratio',
  'always_off',
] as const;

export type SamplerName = (typeof samplers)[number];

export const sampler = oneOf(...samplers);

export const fraction = z
  .string()
  .transform((text) => (/^\s*\d*\.?\d+\s*$/.test(text) ? Number(text) : Number.NaN))
  .refine((number) => number >= 0 && number <= 1, { error: 'must be a number from 0 to 1' });

/** Written as the standard asks: `name=value,name=value`, with values that may be percent-encoded. */
export const headers = z.string().transform((list, problems) => {
  const pairs = list.split(',').map((item) => /^\s*([\w!#$&'*+.^`|~-]+)\s*=\s*(.*?)\s*$/.exec(item));
  try {
    return Object.fromEntries(pairs.map((pair) => headerOf(pair)));
  } catch {
    problems.addIssue('must be a comma-separated list of name=value, with percent-encoded values');
    return z.NEVER;
  }
});

function headerOf(pair: RegExpExecArray | null): [name: string, value: string] {
  const [, name, value = ''] = pair ?? [];
  const decoded = decodeURIComponent(value);
  if (!name || /[^\t\x20-\x7e]/.test(decoded)) throw new Error('A header is malformed.');
  return [name, decoded];
}

export const cidrs = z.string().transform((list, problems) => {
  try {
    return parseCidrs(list);
  } catch {
    problems.addIssue('must be a comma-separated list of ranges, such as 10.0.0.0/8');
    return z.NEVER;
  }
});

export const ratePolicies = z.string().transform((text, problems) => {
  try {
    return parseRatePolicies(text);
  } catch (error) {
    problems.addIssue((error as Error).message);
    return z.NEVER;
  }
});

export const trustProxy = z
  .string()
  .transform((text) => (/^\d+$/.test(text) ? Number(text) : text.split(',').map((item) => item.trim())))
  .refine(
    (proxies) => typeof proxies === 'number' || proxies.every(isProxy),
    'must be a number of proxies, or their addresses and ranges, such as 10.0.0.0/8',
  );

/** An address, a range of addresses, or a name of Express for some ranges. */
function isProxy(item: string): boolean {
  return ['loopback', 'linklocal', 'uniquelocal'].includes(item) || ipaddr.isValid(item) || ipaddr.isValidCIDR(item);
}

export const corsOrigins = z
  .string()
  .transform((list) => list.split(',').map((item) => item.trim()))
  .refine(
    (origins) => origins.join() === '*' || origins.every(isWebOrigin),
    'must be *, or a comma-separated list of origins without a path, such as https://shop.example.com',
  );

/** Written exactly as browsers write it: lower case, no path, and no port that its scheme implies. */
function isWebOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.parse(text)?.origin === text;
}

export const stripeUrl = address('https://api.stripe.com', /^https?$/).refine(
  (text) => !URL.canParse(text) || ['/', ''].includes(new URL(text).pathname),
  'must have no path',
);

export const masterKeys = z
  .string()
  .transform((list) => list.split(',').map((item) => item.trim().split(':')))
  .refine(
    (keys) => keys.every(([id, key]) => id && !id.includes('.') && Buffer.from(key ?? '', 'base64').length === 32),
    'must be a comma-separated list of id:base64 of 32 bytes',
  )
  .transform((keys) => keys.map(([id = '', key = '']) => ({ id, key: Buffer.from(key, 'base64') })));
