/**
 * The addresses of a host, at registration and at every connection alike. DNS is asked over sockets of its own: the
 * system's `getaddrinfo` holds one of the four threads that also hash passwords until it has its answer, so that four names
 * whose servers keep silent would stop every other. It is left what DNS does not know, such as names of the hosts file, but
 * never a name whose servers keep silent. Nothing is judged here.
 * See docs/decisions/delivery.md, "Host names are looked up over our own sockets".
 */
import dns, { type LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';

const tries = 3;
/** How much longer the addresses of one family are waited for when those of the other are here. */
const graceMs = 300;
/** A name server may say that a name does not exist and keep silent when asked again. This many threads it may hold. */
const lookupsAtOnce = 2;

/** `EBADNAME`: underscores and the like. `ECONNREFUSED`: this machine has no name server at all. */
const unknownToDns = ['ENOTFOUND', 'ENODATA', 'EBADNAME', 'ECONNREFUSED'];

/** A literal address resolves to itself. Throws when there is none, or no answer in time. */
export async function resolveHost(host: string, withinMs: number): Promise<LookupAddress[]> {
  const family = isIP(host);
  if (family !== 0) return [{ address: host, family }];
  const late = new AbortController();
  const tooLate = new Promise<never>((_, reject) => {
    late.signal.addEventListener('abort', () => reject(new Error(`No answer in time: ${host}`)));
  });
  const timer = after(withinMs, () => late.abort());
  try {
    return await Promise.race([ask(host, withinMs, late.signal), tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

/** An answer that is here already counts, even if this process was too busy to look. */
const after = (delayMs: number, act: () => void) => setTimeout(() => setImmediate(act), delayMs);

/** DNS has no `localhost`, and only the system knows in which domain a bare name is meant. A dot at the end changes neither. */
async function ask(host: string, withinMs: number, late: AbortSignal): Promise<LookupAddress[]> {
  const name = host.replace(/\.$/, '');
  if (!name.includes('.') || name.endsWith('.localhost')) return askSystem(name, late);
  return (await askDns(host, withinMs)) ?? askSystem(host, late);
}

/** Null for a name that DNS does not know. */
async function askDns(host: string, withinMs: number): Promise<LookupAddress[] | null> {
  const timeout = Math.ceil(withinMs / tries);
  const resolver = new Resolver({ timeout, tries, maxTimeout: timeout });
  // Those of the process. `getServers` imported by name would go on telling those that it began with.
  resolver.setServers(dns.getServers());
  const timers = [after(withinMs, () => resolver.cancel())];
  const find = async (family: 4 | 6) => {
    const found = await (family === 4 ? resolver.resolve4(host) : resolver.resolve6(host));
    timers.push(after(graceMs, () => resolver.cancel()));
    return found.map((address) => ({ address, family }));
  };
  // Choice: IPv4 is tried first, because a machine that sends webhooks is likelier to have it.
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
    // Whoever asked may have left meanwhile.
    late.throwIfAborted();
    return await lookup(host, { all: true });
  } finally {
    // Whoever waits longest takes the place; only a place that nobody takes is free.
    const next = waiting.shift();
    if (next) next();
    else lookups--;
  }
}
