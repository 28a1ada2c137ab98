/**
 * What changed since the last attempt of the same event: when it came, whether its body is the same, and whether it
 * belongs to another delivery.
 */
import type { Delivery } from './delivery-log.ts';

interface Seen {
  count: number;
  last: Delivery;
}

/** Returns a line about each repeated event; null for the first time that an event comes. */
export function createAttemptHistory(): (delivery: Delivery) => string | null {
  const events = createRecentEvents<Seen>();
  return (delivery) => {
    const id = delivery.headers['webhook-id'];
    if (typeof id !== 'string') return null;
    const before = events.get(id);
    events.set(id, { count: (before?.count ?? 0) + 1, last: delivery });
    return before ? changesSince(before, delivery) : null;
  };
}

function changesSince({ count, last }: Seen, delivery: Delivery): string {
  const gapMs = delivery.receivedAt.getTime() - last.receivedAt.getTime();
  const gap = gapMs < 950 ? `${gapMs} ms` : `${Math.round(gapMs / 1000)} s`;
  const other = ['x-service-delivery-id', 'x-service-webhook-id'] as const;
  const [isOtherDelivery, isOtherEndpoint] = other.map((name) => last.headers[name] !== delivery.headers[name]);
  return [
    `arrival ${count + 1} of the same event, ${gap} later`,
    last.body.equals(delivery.body) ? 'same body' : `another body: ${differenceOf(last.body, delivery.body)}`,
    ...(isOtherEndpoint ? ['for another endpoint'] : []),
    ...(isOtherDelivery && !isOtherEndpoint ? ['another delivery: it was resent'] : []),
  ].join('; ');
}

/** Names the fields that differ, with both values. */
function differenceOf(before: Buffer, after: Buffer): string {
  const [was, is] = [fieldsOf(before), fieldsOf(after)];
  const names = [...new Set([...was.keys(), ...is.keys()])].filter((name) => was.get(name) !== is.get(name));
  if (names.length === 0) return 'the same fields in other bytes';
  const shown = names
    .slice(0, 3)
    .map((name) => `${name} was ${was.get(name) ?? 'missing'} and is ${is.get(name) ?? 'missing'}`);
  return `${shown.join(', ')}${names.length > shown.length ? ', …' : ''}`;
}

function fieldsOf(body: Buffer): Map<string, string> {
  const fields = new Map<string, string>();
  const visit = (value: unknown, name: string): void => {
    if (value === null || typeof value !== 'object') fields.set(name, JSON.stringify(value));
    else for (const [key, child] of Object.entries(value)) visit(child, name ? `${name}.${key}` : key);
  };
  try {
    visit(JSON.parse(String(body)), '');
  } catch {
    fields.set('the body', 'not JSON');
  }
  return fields;
}

/**
 * Choice: the receiver keeps what it knows of the last 1,000 events, so that one that runs for weeks does not grow. More
 * than that come between two attempts of one event only in a load test.
 */
const mostEvents = 1_000;

/** What is known of the last events, by their `webhook-id`. */
interface RecentEvents<Known> {
  get(id: string): Known | undefined;
  /** Forgets the event that was not set for the longest time, when there are too many. */
  set(id: string, known: Known): void;
}

export function createRecentEvents<Known>(): RecentEvents<Known> {
  const events = new Map<string, Known>();
  return {
    get: (id) => events.get(id),
    set(id, known) {
      events.delete(id);
      events.set(id, known);
      const [oldest] = events.keys();
      if (events.size > mostEvents && oldest !== undefined) events.delete(oldest);
    },
  };
}
