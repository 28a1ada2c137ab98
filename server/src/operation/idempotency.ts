/**
 * Makes sure that requests with the same `Idempotency-Key` have one effect. The key's row, the effect, its events and
 * the answer are saved in one transaction: a crash leaves all of them or nothing. Each call tries to get an advisory
 * lock and does not wait for it, so a second call immediately learns that the first call is still running. With only a
 * unique index, the second call would have to wait. Only successful answers are stored, because a failure also rolls
 * the key back. Stored answers are encrypted, because the answer to a registration contains a secret.
 * See docs/decisions/requests.md, "An Idempotency-Key, its effect and its answer are one transaction".
 */
import type { Context, WithPrincipal, WriteContext } from '../context.ts';
import { AppError } from '../kit/errors.ts';
import { rowsOf, rowsOutsideTransaction, run } from '../platform/database/statement.ts';

export interface IdempotencyKey {
  /** The value of the header. It is unique within a merchant and mode. */
  value: string;
  /**
   * The SHA-256 of method, path and raw body. When a key comes again with a different fingerprint, the caller made a
   * mistake.
   */
  fingerprint: Buffer;
}

export interface Answer<Body> {
  body: Body;
  /** True when an earlier call had the effect, and this is the answer of that call. */
  isReplayed: boolean;
}

const retryAfterSeconds = 1;

/**
 * Runs the work, or returns the answer of an earlier call with the same key. Must be called inside the transaction of
 * the work.
 */
export async function runOnce<Body>(
  context: WriteContext & WithPrincipal,
  key: IdempotencyKey,
  work: () => Promise<Body>,
): Promise<Answer<Body>> {
  const { principal, sealer, clock } = context;
  const [claim] = await rowsOf<Claim>(context)`
    select is_ours, fingerprint, response
    from claim_idempotency_key(${principal.merchantId}, ${principal.mode}, ${key.value})`;
  if (!claim?.is_ours) {
    throw new AppError('idempotency_in_progress', 'A request with this Idempotency-Key is still in progress', {
      retryAfterSeconds,
    });
  }
  if (claim.response !== null) return replay(claim, { key, owner: ownerOf(context, key), sealer });
  const body = await work();
  await run(context)`
    insert into idempotency_key (merchant_id, mode, key, fingerprint, response, created_at)
    values (${principal.merchantId}, ${principal.mode}, ${key.value}, ${key.fingerprint},
      ${sealedAnswer(context, key, body)}, ${clock.now()})`;
  return { body, isReplayed: false };
}

/** Encrypts the answer that is stored with its key. */
export function sealedAnswer(context: Context & WithPrincipal, key: IdempotencyKey, body: unknown): string {
  return context.sealer.seal(JSON.stringify(body), ownerOf(context, key));
}

/**
 * Returns the answer of an earlier call with this key, or null. Used by operations that must do some work before the
 * transaction.
 */
export async function findEarlierAnswer<Body>(
  context: Context & WithPrincipal,
  key: IdempotencyKey,
): Promise<Answer<Body> | null> {
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

/** The owner of an encrypted answer. The answer cannot be decrypted for a different merchant, mode or key. */
function ownerOf({ principal }: WithPrincipal, key: IdempotencyKey): string {
  return `${principal.merchantId}:${principal.mode}:${key.value}`;
}
