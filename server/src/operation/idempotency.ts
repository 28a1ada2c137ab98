/**
 * One effect for one `Idempotency-Key`. The key's row, the effect, its events and the answer to give again are saved in one
 * transaction: a crash leaves all of it or nothing. An advisory lock, tried and not waited for, tells a second call at once
 * that the first is still on its way; a unique index alone would make it wait. Only successes are kept, because a failure
 * rolls its key back too, and they are sealed, because a registration's answer holds a secret.
 * See docs/decisions/requests.md, "An Idempotency-Key, its effect and its answer are one transaction".
 */
import type { Called, Context, WriteContext } from '../context.ts';
import { rowsOf, rowsOutsideTransaction, run } from '../database/statement.ts';
import { AppError } from '../kit/errors.ts';

export interface IdempotencyKey {
  /** The merchant's and mode's own. */
  value: string;
  /** SHA-256 of method, path and raw body: the same key with another is somebody's mistake. */
  fingerprint: Buffer;
}

export interface Answer<Body> {
  body: Body;
  /** Whether an earlier call had the effect. */
  isReplayed: boolean;
}

const retryAfterSeconds = 1;

/** Runs the work once for its key: inside the transaction, after the lock, unless it was done before. */
export async function once<Body>(
  context: WriteContext & Called,
  key: IdempotencyKey,
  work: () => Promise<Body>,
): Promise<Answer<Body>> {
  const { principal, sealer, clock } = context;
  const owner = ownerOf(context, key);
  const [claim] = await rowsOf<Claim>(context)`
    select is_ours, fingerprint, response
    from claim_idempotency_key(${principal.merchantId}, ${principal.mode}, ${key.value})`;
  if (!claim?.is_ours) {
    throw new AppError('idempotency_in_progress', 'A request with this Idempotency-Key is still in progress', {
      retryAfterSeconds,
    });
  }
  if (claim.response !== null) return replay(claim, { key, owner, sealer });
  const body = await work();
  await run(context)`
    insert into idempotency_key (merchant_id, mode, key, fingerprint, response, created_at)
    values (${principal.merchantId}, ${principal.mode}, ${key.value}, ${key.fingerprint},
      ${sealer.seal(JSON.stringify(body), owner)}, ${clock.now()})`;
  return { body, isReplayed: false };
}

/** The answer of an earlier call with this key, or null: for work that has to be done before the transaction. */
export async function answerBefore<Body>(context: Context & Called, key: IdempotencyKey): Promise<Answer<Body> | null> {
  const { principal, sealer } = context;
  const [kept] = await rowsOutsideTransaction<Claim>(context)`
    select true as is_ours, fingerprint, response from idempotency_key
    where merchant_id = ${principal.merchantId} and mode = ${principal.mode} and key = ${key.value}`;
  return kept ? replay(kept, { key, owner: ownerOf(context, key), sealer }) : null;
}

interface Claim {
  is_ours: boolean;
  fingerprint: Buffer | null;
  response: string | null;
}

interface Replaying {
  key: IdempotencyKey;
  owner: string;
  sealer: Context['sealer'];
}

function replay<Body>({ fingerprint, response }: Claim, { key, owner, sealer }: Replaying): Answer<Body> {
  if (!fingerprint?.equals(key.fingerprint)) {
    throw new AppError('idempotency_key_reused', 'This Idempotency-Key was used for another request');
  }
  return { body: JSON.parse(sealer.open(response ?? '', owner)), isReplayed: true };
}

/** What an answer is sealed for: it opens for no other merchant, mode or key. */
function ownerOf({ principal }: Called, key: IdempotencyKey): string {
  return `${principal.merchantId}:${principal.mode}:${key.value}`;
}
