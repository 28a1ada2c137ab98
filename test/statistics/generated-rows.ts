/** Generates payments, deliveries and attempts at edge-case times, which a faulty count could miss. */
import fc from 'fast-check';
import { v7 } from 'uuid';
import type { Database } from '../support/database/database.ts';

export interface PaymentRow {
  owner: number;
  mode: 'test' | 'live';
  currency: 'NGN' | 'USD' | 'JPY';
  status: 'pending' | 'processing' | 'completed' | 'failed' | 'expired';
  amount: number;
  failure: readonly [code: string, message: string] | null;
  isUnderReview: boolean;
  at: number;
}

export interface DeliveryRow {
  owner: number;
  mode: 'test' | 'live';
  /** The last of the owner's three endpoints was removed. */
  endpoint: number;
  event: 'checkout.success' | 'checkout.failed';
  status: 'pending' | 'delivered' | 'failed' | 'skipped';
  isResent: boolean;
  attempts: readonly AttemptRow[];
  at: number;
}

export interface AttemptRow {
  afterMs: number;
  durationMs: number;
  statusCode: number | null;
  error: 'timeout' | 'connect_timeout' | 'connection_refused' | null;
}

export interface Rows {
  payments: PaymentRow[];
  deliveries: DeliveryRow[];
}

const dayMs = 86_400_000;

/** Times that are mostly within a millisecond of the limits of a period. */
function moments(now: Date, periodsDays: readonly number[]): fc.Arbitrary<number> {
  const midnight = Math.floor(now.getTime() / dayMs) * dayMs;
  const edges = periodsDays.flatMap((days) => [
    midnight - (days - 1) * dayMs,
    midnight - (2 * days - 1) * dayMs,
    now.getTime() - days * dayMs,
  ]);
  const near = fc.constantFrom(now.getTime(), midnight + 3_600_000, ...edges);
  const offset = fc.constantFrom(-1, 0, 1);
  return fc.oneof(
    fc.tuple(near, offset).map(([edge, ms]) => edge + ms),
    fc.integer({ min: now.getTime() - 200 * dayMs, max: now.getTime() + dayMs }),
    fc.integer({ min: now.getTime() - 3 * dayMs, max: now.getTime() }),
  );
}

const declines = [
  ['card_declined', 'The card was declined'],
  ['lost_card', 'The card was declined'],
  ['insufficient_funds', 'The card has insufficient funds'],
] as const;

export function generatedRows(now: Date, periodsDays: readonly number[]): fc.Arbitrary<Rows> {
  const merchantAndMode = { owner: fc.constantFrom(0, 0, 0, 1), mode: fc.constantFrom('test', 'test', 'test', 'live') };
  const at = moments(now, periodsDays);
  const payment = fc.record({
    ...merchantAndMode,
    currency: fc.constantFrom('NGN', 'USD', 'JPY'),
    status: fc.constantFrom('pending', 'processing', 'completed', 'completed', 'failed', 'expired'),
    amount: fc.oneof(fc.integer({ min: 1, max: 1000 }), fc.constant(999_999_999_999)),
    failure: fc.option(fc.constantFrom(...declines)),
    isUnderReview: fc.constantFrom(false, false, false, true),
    at,
  });
  const attempt = fc.record({
    afterMs: fc.integer({ min: 0, max: 5 * 3_600_000 }),
    durationMs: fc.integer({ min: 0, max: 30 }),
    result: fc.constantFrom(500, 302, 'timeout', 'connect_timeout', 'connection_refused'),
  });
  const delivery = fc.record({
    ...merchantAndMode,
    endpoint: fc.constantFrom(0, 1, 2),
    event: fc.constantFrom('checkout.success', 'checkout.success', 'checkout.failed'),
    status: fc.constantFrom('pending', 'delivered', 'failed', 'skipped'),
    isResent: fc.boolean(),
    attempts: fc.array(attempt, { maxLength: 3 }),
    at,
  });
  return fc.record({
    payments: fc.array(payment, { minLength: 60, maxLength: 150 }),
    deliveries: fc.array(delivery.map(withAttempts), { minLength: 60, maxLength: 150 }),
  }) as fc.Arbitrary<Rows>;
}

interface Generated {
  status: string;
  attempts: { afterMs: number; durationMs: number; result: number | string }[];
}

/** Only the last attempt of a delivered delivery succeeds; a skipped delivery has no attempts. */
function withAttempts<Delivery extends Generated>(delivery: Delivery) {
  const { status, attempts } = delivery;
  const failed = attempts.map(({ result, ...times }) => ({
    ...times,
    statusCode: typeof result === 'number' ? result : null,
    error: typeof result === 'number' ? null : result,
  }));
  const accepted = { afterMs: 0, durationMs: 15, statusCode: 200, error: null };
  const made = { delivered: [...failed, accepted], skipped: [] }[status] ?? failed;
  return { ...delivery, attempts: made };
}

export interface Owner {
  id: string;
  endpoints: Record<'test' | 'live', string[]>;
}

export async function writeRows(database: Database, owners: readonly Owner[], rows: Rows): Promise<void> {
  const iso = (at: number) => new Date(at).toISOString();
  const payments = rows.payments.map(({ owner, at, failure, isUnderReview, ...rest }, index) => ({
    ...rest,
    // Tests find the row by its description.
    description: String(index),
    id: v7({ msecs: at }),
    merchant_id: owners[owner]?.id,
    failure_code: failure?.[0] ?? null,
    failure_message: failure?.[1] ?? null,
    review_reason: isUnderReview ? 'amount_mismatch' : null,
    created_at: iso(at),
  }));
  await database.query(
    `insert into payment (id, merchant_id, mode, reference, access_code, amount, currency, status, customer_email, description,
       metadata, attempts, failure_code, failure_message, review_reason, expires_at, created_at, updated_at)
     select id, merchant_id, mode, id::text, gen_random_uuid(), amount, currency, status, 'ada@example.com',
       description, '{}', 0, failure_code, failure_message, review_reason, now() + interval '1 day', created_at, now()
     from json_to_recordset($1) as given (id uuid, merchant_id uuid, mode text, amount bigint, currency text, status text,
       description text, failure_code text, failure_message text, review_reason text, created_at timestamptz)`,
    [JSON.stringify(payments)],
  );
  const deliveries = rows.deliveries.map(({ owner, mode, endpoint, at, isResent, ...rest }) => ({
    ...rest,
    id: v7({ msecs: at }),
    mode,
    merchant_id: owners[owner]?.id,
    endpoint_id: owners[owner]?.endpoints[mode][endpoint],
    attempt_count: rest.attempts.length,
    resent_at: isResent ? iso(at) : null,
    created_at: iso(at),
  }));
  const events = deliveries.map(({ id, merchant_id, mode, event, created_at }) => ({
    id,
    merchant_id,
    mode,
    name: event,
    created_at,
  }));
  await database.query(
    `insert into event (id, merchant_id, mode, name, body, created_at)
     select id, merchant_id, mode, name, '', created_at
     from json_to_recordset($1) as given (id uuid, merchant_id uuid, mode text, name text, created_at timestamptz)`,
    [JSON.stringify(events)],
  );
  await database.query(
    `insert into delivery (id, event_id, endpoint_id, merchant_id, mode, status, status_reason, attempt_count, resent_at,
       created_at)
     select id, id, endpoint_id, merchant_id, mode, status,
       case when status in ('failed', 'skipped') then 'endpoint_inactive' end, attempt_count, resent_at, created_at
     from json_to_recordset($1) as given (id uuid, merchant_id uuid, endpoint_id uuid, mode text, status text, attempt_count int,
       resent_at timestamptz, created_at timestamptz)`,
    [JSON.stringify(deliveries)],
  );
  const attempts = deliveries.flatMap(({ id, attempts: made, created_at }) =>
    made.map(({ afterMs, durationMs, statusCode, error }, index) => ({
      delivery_id: id,
      attempt: index + 1,
      started_at: iso(Date.parse(created_at) + afterMs),
      duration_ms: durationMs,
      status_code: statusCode,
      error,
    })),
  );
  await database.query(
    `insert into delivery_attempt (delivery_id, attempt, started_at, duration_ms, status_code, error, response_truncated)
     select delivery_id, attempt, started_at, duration_ms, status_code, error, false
     from json_to_recordset($1) as given (delivery_id uuid, attempt int, started_at timestamptz, duration_ms int,
       status_code int, error text)`,
    [JSON.stringify(attempts)],
  );
}
