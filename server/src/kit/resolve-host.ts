/**
 * DNS queries are sent over sockets of this process. The system's `getaddrinfo` would occupy one of Node's four
 * threads, so four host names whose name servers do not answer would stop all lookups and the hashing of passwords.
 * See docs/decisions/delivery.md, "Host names are looked up over our own sockets".
 */
import dns, { type LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';

const tries = 3;
/** After the addresses of one family (IPv4 or IPv6), the addresses of the other family may take this much longer. */
const graceMs = 300;
/** The maximum number of Node's threads that lookups by the system may occupy. */
const lookupsAtOnce = 2;

/**
 * `EBADNAME` means that the name has a character such as an underscore, `ECONNREFUSED` that there is no name server.
 */
const unknownToDns = ['ENOTFOUND', 'ENODATA', 'EBADNAME', 'ECONNREFUSED'];

export async function resolveHost(host: string, withinMs: number): Promise<LookupAddress[]> {
  const family = isIP(host);
  if (family !== 0) return [{ address: host, family }];
  const late = new AbortController();
  const tooLate = new Promise<never>((_, reject) => {
    late.signal.addEventListener('abort', () => reject(new Error(`The host name ${host} was not resolved in time`)));
  });
  const timer = after(withinMs, () => late.abort());
  try {
    return await Promise.race([ask(host, withinMs, late.signal), tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

/** With `setImmediate`, this process handles answers that arrived during the delay before it calls `act`. */
const after = (delayMs: number, act: () => void) => setTimeout(() => setImmediate(act), delayMs);

/** The system looks up `localhost`, which is not in DNS, and names without a dot, whose domain only it knows. */
async function ask(host: string, withinMs: number, late: AbortSignal): Promise<LookupAddress[]> {
  const name = host.replace(/\.$/, '');
  if (!name.includes('.') || name.endsWith('.localhost')) return askSystem(name, late);
  return (await askDns(host, withinMs)) ?? askSystem(host, late);
}

async function askDns(host: string, withinMs: number): Promise<LookupAddress[] | null> {
  const timeout = Math.ceil(withinMs / tries);
  const resolver = new Resolver({ timeout, tries, maxTimeout: timeout });
  // An imported `getServers` would always return the name servers from the start of the process.
  resolver.setServers(dns.getServers());
  const timers = [after(withinMs, () => resolver.cancel())];
  const find = async (family: 4 | 6) => {
    const found = await (family === 4 ? resolver.resolve4(host) : resolver.resolve6(host));
    timers.push(after(graceMs, () => resolver.cancel()));
    return found.map((address) => ({ address, family }));
  };
  // Choice: IPv4 is tried first, because more of the machines that send webhooks have IPv4.
  const results = await Promise.allSettled([find(4), find(6)]);
  for (const timer of timers) clearTimeout(timer);
  const addresses = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  if (addresses.length > 0) return addresses;
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  const other = failures.find(({ code }) => !unknownToDns.includes(code));
  if (other) throw other;
  return null;
}

let lookups = 0;
const waiting: (() => void)[] = [];

async function askSystem(host: string, late: AbortSignal): Promise<LookupAddress[]> {
  if (lookups >= lookupsAtOnce) await new Promise<void>((resolve) => waiting.push(resolve));
  else lookups++;
  try {
    late.throwIfAborted();
    return await lookup(host, { all: true });
  } finally {
    // The lookup that has waited longest takes over the thread of the lookup that has ended.
    const next = waiting.shift();
    if (next) next();
    else lookups--;
  }
}
