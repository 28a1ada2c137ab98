/**
 * No call waits for the advisory lock of its `Idempotency-Key`, so a repeated call fails at once while the first call
 * is running. Stored answers are encrypted, because the answer to a registration contains a secret.
 * See docs/decisions/requests.md, "An Idempotency-Key, its effect and its answer are one transaction".
 */
import type { Context, WithPrincipal, WriteContext } from '../context.ts';
import { AppError } from '../kit/errors.ts';
import { rowsOf, rowsOutsideTransaction, run } from '../platform/database/statement.ts';

export interface IdempotencyKey {
  value: string;
  /** The SHA-256 of method, path and raw body. */
  fingerprint: Buffer;
}

export interface Answer<Body> {
  body: Body;
  /** True when `body` is the answer of an earlier call. */
  isReplayed: boolean;
}

const retryAfterSeconds = 1;

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

export function sealedAnswer(context: Context & WithPrincipal, key: IdempotencyKey, body: unknown): string {
  return context.sealer.seal(JSON.stringify(body), ownerOf(context, key));
}

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

function ownerOf({ principal }: WithPrincipal, key: IdempotencyKey): string {
  return `${principal.merchantId}:${principal.mode}:${key.value}`;
}
