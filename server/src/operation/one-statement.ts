/**
 * For a call with an API key, one statement checks the key, claims the `Idempotency-Key`, stores the answer and inserts
 * the row of the operation. If nothing is inserted, the operation runs in a transaction, which finds the reason.
 * See docs/decisions/requests.md, "An operation that inserts one row is one statement".
 */
import { type RawBuilder, sql } from 'kysely';
import type { Context, WithPrincipal, WriteContext } from '../context.ts';
import { AppError } from '../kit/errors.ts';
import { rowsOutsideTransaction, run } from '../platform/database/statement.ts';
import { isConstraintViolation } from '../platform/database/transaction.ts';
import { type IdempotencyKey, sealedAnswer } from './idempotency.ts';

type Reading = Context & WithPrincipal;

export interface NewRow<Body> {
  /** An SQL statement of the form `insert into TABLE (…) select …`, without `from`. */
  insertion: RawBuilder<unknown>;
  answer: Body;
}

/** Checks the API key in the writing statement, because the key may be revoked while the call runs. */
export interface KeyCheck {
  /** The query must end with its `where` clause, because further conditions are appended to it. */
  usable(key: { apiKeyId: string; merchantId: string }): RawBuilder<unknown>;
  require(context: Context, apiKeyId: string): Promise<void>;
}

export async function insertRow<Body>(context: WriteContext, { insertion, answer }: NewRow<Body>): Promise<Body> {
  await run(context)`${insertion}`;
  return answer;
}

/** Returns null if the call needs a transaction. Throws if the API key may no longer be used. */
export async function writeInOneStatement<Body>(
  context: Reading,
  make: () => NewRow<Body>,
  { key, keyCheck }: { key: IdempotencyKey | null; keyCheck: KeyCheck },
): Promise<Body | null> {
  const { actor, merchantId } = context.principal;
  // A call by a user needs a transaction, because the call also inserts an audit entry.
  if (actor.type === 'user') return null;
  const made = madeOrRefused(make);
  const usableKey = keyCheck.usable({ ...actor, merchantId });
  if (made && (await insertAtOnce(context, { ...made, key, usableKey }))) return made.answer;
  await keyCheck.require(context, actor.apiKeyId);
  return null;
}

/** Invalid input is reported later, because an earlier answer to the `Idempotency-Key` takes precedence. */
function madeOrRefused<Made>(make: () => Made): Made | null {
  try {
    return make();
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

interface Insertion<Body> extends NewRow<Body> {
  key: IdempotencyKey | null;
  usableKey: RawBuilder<unknown>;
}

async function insertAtOnce<Body>(context: Reading, given: Insertion<Body>): Promise<boolean> {
  const { insertion, key, usableKey } = given;
  try {
    const rows = key
      ? await rowsOutsideTransaction(context)`
          with usable as materialized (${usableKey} and ${lockOf(context, key)}),
          kept as (${keptAnswer(context, { ...given, key })} from usable on conflict do nothing returning key)
          ${insertion} from kept returning id`
      : await rowsOutsideTransaction(context)`
          with usable as materialized (${usableKey}) ${insertion} from usable returning id`;
    return rows.length === 1;
  } catch (error) {
    if (isConstraintViolation(error)) return false;
    throw error;
  }
}

/** Takes the same lock as the SQL function `claim_idempotency_key`. */
function lockOf({ principal }: WithPrincipal, { value }: IdempotencyKey): RawBuilder<unknown> {
  const name = `${principal.merchantId}${principal.mode}${value}`;
  return sql`pg_try_advisory_xact_lock(hashtextextended(${name}, 0))`;
}

function keptAnswer<Body>(
  context: Reading,
  { answer, key }: NewRow<Body> & { key: IdempotencyKey },
): RawBuilder<unknown> {
  const { merchantId, mode } = context.principal;
  return sql`
    insert into idempotency_key (merchant_id, mode, key, fingerprint, response, created_at)
    select ${merchantId}, ${mode}, ${key.value}, ${key.fingerprint}, ${sealedAnswer(context, key, answer)},
      ${context.clock.now()}`;
}
