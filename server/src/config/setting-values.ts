/** The types of settings: each checks the text of a setting and converts it to a value. */
import { isIP } from 'node:net';
import { platform } from 'node:os';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { parseCidrs } from '../kit/address-policy.ts';
import { dayMs } from '../kit/hours.ts';
import { parseRatePolicies } from '../kit/rate-policies.ts';

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

interface AddressShape {
  example: string;
  schemes: readonly string[];
  /** URL parts besides scheme, host and port. Any other part would be lost, or end up in the middle of longer URLs. */
  may?: readonly AddressPart[];
  /** The name of the query parameter that may contain the host, or the folder of a Unix socket. */
  hostParameter?: string;
}

type AddressPart = 'user' | 'path' | 'query';

export function address({ example, schemes, may = [], hostParameter }: AddressShape) {
  return z
    .string()
    .trim()
    .superRefine((text, { addIssue }) => {
      const url = URL.parse(text);
      const scheme = url?.protocol.slice(0, -1) ?? '';
      const namesHost = /^\w+:\/\/[^/\\]/.test(text) || (hostParameter && url?.searchParams.get(hostParameter));
      if (!url || !schemes.includes(scheme) || !namesHost) {
        addIssue(`must be an address such as ${example}`);
        return;
      }
      const parts: Record<AddressPart | 'fragment', boolean> = {
        user: url.username !== '' || url.password !== '',
        path: !['', '/'].includes(url.pathname),
        query: text.includes('?'),
        fragment: text.includes('#'),
      };
      const wrong = Object.entries(parts).flatMap(([part, isThere]) =>
        isThere && !(may as readonly string[]).includes(part) ? [part] : [],
      );
      for (const part of wrong) addIssue(`must have no ${part}, ${markOf[part as keyof typeof markOf]}`);
      if (!isDecodable(url)) addIssue('must write each % as %25');
    });
}

const markOf = {
  user: 'which stands before an @',
  path: 'which begins with a / after the host',
  query: 'which begins with a ?',
  fragment: 'which begins with a #; write a # in a password as %23',
};

function isDecodable({ username, password, pathname }: URL): boolean {
  try {
    return decodeURIComponent(username + password + pathname) !== undefined;
  } catch {
    return false;
  }
}

export const postgresAddress = address({
  example: 'postgres://user:password@host/database',
  schemes: ['postgres', 'postgresql'],
  may: ['user', 'path', 'query'],
  hostParameter: 'host',
}).superRefine((text, { addIssue }) => {
  const url = URL.parse(text);
  if (url?.hostname.includes(',')) addIssue('must name one host');
  if (url && /.[/@]/.test(url.pathname)) addIssue('must write / and @ in a password as %2F and %40');
  if (url && /^\/*$/.test(url.pathname))
    addIssue('must name the database after the host, as in postgres://host/database');
});

/** The address of MongoDB is not parsed as a URL, because the address of a replica set has several hosts. */
export const mongoAddress = z
  .string()
  .regex(
    /^mongodb(\+srv)?:\/\/[^\s/?#]+(\/[^\s#]*)?$/,
    'must be an address of MongoDB, such as mongodb://host:27017/database',
  );

export const host = z
  .string()
  .trim()
  .refine(
    (text) => isIP(text) > 0 || /^[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?$/i.test(text),
    'must be the address or the name of this machine, without a scheme and a port, such as 0.0.0.0 or ::',
  )
  // Short forms such as `127.1` are refused, because operating systems read them as different addresses.
  .refine((text) => isIP(text) > 0 || !/^[\d.]+$/.test(text), 'must have four numbers up to 255, such as 127.0.0.1');

/** `pg_ctl` puts the path into a shell command, so some characters are refused. */
export const folder = z
  .string()
  .refine(
    (path) => path.trim() !== '' && !/["$`\n]/.test(path) && (platform() === 'win32' || !path.includes('\\')),
    'must be the path of a folder, without the characters " $ ` and \\',
  );

const maxDelayMs = 30 * dayMs;

export const retryDelays = z
  .string()
  .transform((list) => (list.trim() === '' ? [] : list.split(',').map(wholeMs)))
  .refine((delays) => delays.length <= 3, 'must hold at most three delays')
  .refine(
    (delays) => delays.every((delay) => delay <= maxDelayMs),
    `must hold whole milliseconds from 0 to ${maxDelayMs}`,
  );

const wholeMs = (text: string) => (/^\s*\d+\s*$/.test(text) ? Number(text) : Number.NaN);

/** The standard names of the samplers of OpenTelemetry. */
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
  if (!name || /[^\t\x20-\x7e]/.test(decoded)) throw new Error('An item of the list is not a valid header.');
  return [name, decoded];
}

export const cidrs = z.string().transform((list, problems) => {
  try {
    const ranges = parseCidrs(list);
    if (list.split(',').some((item) => item.trim() !== '' && !isRange(item.trim())))
      throw new Error('An item of the list is not a CIDR range.');
    return ranges;
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

function isProxy(item: string): boolean {
  return ['loopback', 'linklocal', 'uniquelocal'].includes(item) || isIP(item) > 0 || isRange(item);
}

/** The library's `isValidCIDR` alone would read `10/8` as 0.0.0.10/8. */
function isRange(item: string): boolean {
  return isIP(item.split('/')[0] ?? '') > 0 && ipaddr.isValidCIDR(item);
}

export const corsOrigins = z
  .string()
  .transform((list) => list.split(',').map((item) => item.trim()))
  .refine(
    (origins) => origins.join() === '*' || origins.every(isWebOrigin),
    'must be *, or a comma-separated list of origins without a path, such as https://shop.example.com',
  );

/** An origin matches only as browsers send it: in lower case, without a path and without the default port. */
function isWebOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.parse(text)?.origin === text;
}

export const masterKeys = z
  .string()
  .transform((list) => list.split(',').map((item) => item.trim().split(':')))
  .refine(
    (keys) =>
      keys.every(
        ([id, key, ...rest]) =>
          id && !id.includes('.') && Buffer.from(key ?? '', 'base64').length === 32 && rest.length === 0,
      ),
    'must be a comma-separated list of id:base64 of 32 bytes',
  )
  .refine((keys) => new Set(keys.map(([id]) => id)).size === keys.length, 'must have another id for each key')
  .transform((keys) => keys.map(([id = '', key = '']) => ({ id, key: Buffer.from(key, 'base64') })));

export const mailAddress = address({
  example: 'smtps://user:password@mail.example.com',
  schemes: ['smtps', 'smtp'],
  may: ['user'],
});

/** `pay@example.com`, or a name and the address in angle brackets. */
export const mailFrom = z.string().transform((text, { addIssue }) => {
  const [, name = '', address = text.trim()] = /^\s*([^<>@"]*?)\s*<([^<>\s]+)>\s*$/.exec(text) ?? [];
  if (/^[^\s<>@"]+@[^\s<>@"]+$/.test(address)) return { name, address };
  addIssue('must be an address such as Example <pay@example.com>');
  return z.NEVER;
});
