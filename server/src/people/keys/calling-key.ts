import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { AppError } from '../../kit/errors.ts';
import type { Mode } from '../../kit/mode.ts';
import type { Scope } from '../../kit/permissions.ts';
import type { KeyCheck } from '../../operation/one-statement.ts';
import { rowsOutsideTransaction } from '../../platform/database/statement.ts';

/** What every call needs to know about its key. */
export interface CallingKey {
  id: string;
  merchantId: string;
  mode: Mode;
  /** Null: the key may do everything. */
  scopes: Scope[] | null;
  /** The merchant's own currency. */
  currency: string;
  isRevoked: boolean;
  isExpired: boolean;
  isSuspended: boolean;
  /** When the key was last used before this call, in milliseconds. */
  lastUsedMs: number | null;
  /** Whether the stored time of the last use is less than a minute old, so that it need not be written again. */
  isUseRecorded: boolean;
}

const usability = sql`revoked_at is not null as "isRevoked",
  expires_at is not null and expires_at <= now() as "isExpired",
  suspended_at is not null as "isSuspended"`;

/**
 * The key with this hash and its merchant, or null. The SQL is written by hand because every call with a key begins
 * with this query: for a cheap call, loading entities by the ORM cost more than all the rest.
 */
export async function findCallingKey(context: Context, hash: Buffer): Promise<CallingKey | null> {
  const rows = await rowsOutsideTransaction<CallingKey>(context)`
    select api_key.id, merchant.id as "merchantId", mode, scopes, currency,
      ${usability},
      (extract(epoch from last_used_at) * 1000)::float8 as "lastUsedMs", last_used_at is not null and last_used_at > now() - interval '1 minute' as "isUseRecorded"
    from api_key join merchant on merchant.id = merchant_id
    where hash = ${hash}`;
  return rows[0] ?? null;
}

type Usability = Pick<CallingKey, 'isRevoked' | 'isExpired' | 'isSuspended'>;

/** Throws when the key is unknown, revoked or expired, or its merchant is suspended. */
export function requireUsable<Key extends Usability>(key: Key | null | undefined): Key {
  if (!key || key.isRevoked) throw new AppError('invalid_api_key', 'This API key is not valid');
  if (key.isExpired) throw new AppError('expired_api_key', 'This API key has expired');
  if (key.isSuspended) throw new AppError('merchant_suspended', 'This merchant is suspended');
  return key;
}

export const keyCheck: KeyCheck = {
  usable: ({ apiKeyId, merchantId }) => sql`
    select api_key.id from api_key join merchant on merchant.id = merchant_id
    where merchant_id = ${merchantId} and api_key.id = ${apiKeyId} and revoked_at is null and suspended_at is null
      and (expires_at is null or expires_at > now())`,

  async require(context, apiKeyId) {
    const [key] = await rowsOutsideTransaction<Usability>(context)`
      select ${usability} from api_key join merchant on merchant.id = merchant_id where api_key.id = ${apiKeyId}`;
    requireUsable(key);
  },
};
