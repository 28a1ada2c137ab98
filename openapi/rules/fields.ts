import { domainToASCII } from 'node:url';
import type { AddressOwner } from '../model/schema.ts';

export interface AddressRules {
  httpsOnly?: boolean;
  withoutFragment?: boolean;
}

/** In live mode, links for customers must be HTTPS. */
export function addressRules(owner: AddressOwner | undefined, mode: 'test' | 'live' | null | undefined): AddressRules {
  return {
    httpsOnly: owner === 'merchant' || (owner === 'customer' && mode === 'live'),
    // An HTTP request does not contain the fragment, so an endpoint would never receive it.
    withoutFragment: owner === 'endpoint',
  };
}

/** Validates only the text of the URL: its host name is not looked up in the DNS. */
export function addressProblem(
  address: string,
  { httpsOnly = false, withoutFragment = false }: AddressRules = {},
): string | null {
  const isAllowed = (httpsOnly ? /^https:/i : /^https?:/i).test(address);
  if (!isAllowed) return `must begin with ${httpsOnly ? '' : 'http:// or '}https://`;
  if (!URL.canParse(address)) return unreadable(address);
  const url = new URL(address);
  if (url.username || url.password) return 'must not hold a user name or password';
  if (withoutFragment && url.hash) return 'must not have a fragment';
  return url.port === '0' ? wrongPort : nameProblem(url.hostname);
}

const wrongPort = 'must have a port from 1 to 65535';
const wrongHost = 'has a host that does not exist on the web: give a name such as shop.example.com';

function unreadable(address: string): string {
  const [, place = ''] = /^https?:[/\\]*([^/\\?#]*)/i.exec(address) ?? [];
  const authority = place.slice(place.lastIndexOf('@') + 1);
  const [, host = '', port = ''] = /^(\[[^\]]*\]?|[^:]*)(?::(.*))?$/s.exec(authority) ?? [];
  if (host === '') return 'must have a host, such as shop.example.com';
  return portProblem(port) ?? unreadableHost(host);
}

function portProblem(port: string): string | null {
  if (/\D/.test(port)) return 'has a port that is not a number';
  return Number(port) > 65_535 ? wrongPort : null;
}

function unreadableHost(host: string): string {
  if (host.startsWith('[')) {
    return host.includes('%')
      ? 'has an IPv6 address with a zone, which only one machine knows'
      : 'has a host in brackets that is not an IPv6 address';
  }
  if (/(?:^|\.)(?:\d+|0x[0-9a-f]*)\.?$/i.test(host))
    return 'has a host that ends in a number and is not an IPv4 address';
  const [character] = /[^\p{L}\p{M}\p{N}.-]/u.exec(host) ?? [];
  return character ? `has a host with a character that no host may have: ${character}` : wrongHost;
}

/** Finds problems that make a host name invalid in any DNS: an empty label, or a label or name that is too long. */
function nameProblem(host: string): string | null {
  if (host.startsWith('[')) return null;
  const parts = host.replace(/\.$/, '').split('.');
  if (parts.includes('')) return 'has a host with two dots in a row, or with one at its beginning';
  if (parts.some(({ length }) => length > 63)) return 'has a host with a part of more than 63 characters';
  return host.length > 254 ? 'has a host of more than 253 characters' : null;
}

const maxEmailLength = 254;
const localPart = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+$/i;
const mailDomain = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i;

export const notAnEmail = 'must be an email address, such as ada@example.com';

/** The domain of an e-mail address may use any script. */
export function emailProblem(text: string): string | null {
  // Longer texts are not checked further, because the schema already reports them as too long.
  if (text.length > maxEmailLength) return notAnEmail;
  const at = text.lastIndexOf('@');
  const local = text.slice(0, at);
  if (at < 1 || !mailDomain.test(asciiDomain(text.slice(at + 1)))) return notAnEmail;
  if (localPart.test(local)) return null;
  // Choice: non-ASCII characters before the @ are invalid, because most mail servers would lose the receipt.
  return /^[^\s\p{C}@]+$/u.test(local) && !/^\p{ASCII}*$/u.test(local)
    ? 'must have ASCII characters only before the @, because few mail servers take others'
    : notAnEmail;
}

/** Returns the address with its domain in ASCII, the form that mail servers and other services require. */
export function asciiEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return `${email.slice(0, at)}@${asciiDomain(email.slice(at + 1))}`;
}

/** Returns an empty text for a text that cannot be a domain, because `domainToASCII` would silently drop a path. */
function asciiDomain(domain: string): string {
  if (/^\p{ASCII}*$/u.test(domain)) return domain;
  const isName = /^[\p{L}\p{M}\p{N}.\u3002-]+$/u.test(domain) && !/(?:^|\.)-|-(?:\.|$)/.test(domain);
  return isName ? domainToASCII(domain) : '';
}

/** Every well-formed BCP 47 language tag is valid. */
export function localeProblem(tag: string): string | null {
  try {
    Intl.getCanonicalLocales(tag);
    return null;
  } catch {
    return 'is not a well-formed BCP 47 language tag, such as en-NG';
  }
}

/** Choice: the service accepts every name that its own `Intl` accepts, also of zones that have another name today. */
export function timeZoneProblem(name: string): string | null {
  try {
    Intl.DateTimeFormat('en', { timeZone: name });
    return null;
  } catch {
    return 'is not a time zone that this service knows, such as Africa/Lagos';
  }
}

const momentForm = /^(\d{4}-\d\d-\d\d)t([01]\d|2[0-3]):\d\d:\d\d(\.\d+)?(z|[+-]\d\d:\d\d)$/i;

/** The validators' `date-time` also accepts month 19, and days and leap seconds that `Date` or Postgres reject. */
export function isMoment(text: string): boolean {
  const [, day] = momentForm.exec(text) ?? [];
  const year = new Date(text).getUTCFullYear();
  return day !== undefined && year >= 1 && year <= 9999 && isDay(day);
}

/** `Date` alone would read 30 February as 2 March. */
function isDay(day: string): boolean {
  const date = new Date(day);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}
