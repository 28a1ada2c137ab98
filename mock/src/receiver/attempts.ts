import type { Delivery } from './delivery-log.ts';
import type { Reply } from './recording-server.ts';

export interface AnswerOptions {
  /** How many attempts of each event, counted from the first, are answered 500. */
  fail?: number;
  slowMs?: number;
  status?: number;
}

/** Answers 400 to a webhook with an invalid signature, whatever the options say. */
export function answerBy({ fail = 0, slowMs = 0, status = 200 }: AnswerOptions): (delivery: Delivery) => Reply {
  const attempts = createRecentEvents<number>();
  return ({ verification, problem, headers }) => {
    if (verification === 'refused') return { status: 400, body: problem ?? '' };
    const id = String(headers['webhook-id']);
    const attempt = (attempts.get(id) ?? 0) + 1;
    attempts.set(id, attempt);
    if (attempt > fail) return { status, delayMs: slowMs };
    return { status: 500, delayMs: slowMs, body: `told to fail ${attempt} of ${fail}` };
  };
}

export function ruleInWords({ fail, slowMs, status = 200 }: AnswerOptions): string {
  const late = slowMs ? `${fail ? ', each' : ''} after ${slowMs / 1000} s` : '';
  const first = fail ? `500 to the first ${fail === 1 ? 'attempt' : `${fail} attempts`} of each event, then ` : '';
  return `It answers ${first}${status}${late}, and 400${slowMs ? ' at once' : ''} to a webhook that does not verify.`;
}

interface Seen {
  count: number;
  last: Delivery;
}

/** Returns a function that describes the changes since the previous attempt of an event; null for the first attempt. */
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

/** Choice: the receiver remembers the last 1,000 events, so that its memory stays limited when it runs for weeks. */
const maxEvents = 1_000;

/** A bounded map of the latest events, keyed by `webhook-id`. */
interface RecentEvents<Known> {
  get(id: string): Known | undefined;
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
      if (events.size > maxEvents && oldest !== undefined) events.delete(oldest);
    },
  };
}
