import { sql } from 'kysely';
import { type Context, withFreshEntityManager } from '../../context.ts';
import { AppError } from '../../kit/errors.ts';
import type { Mode } from '../../kit/mode.ts';
import type { Scope } from '../../kit/permissions.ts';
import type { KeyCheck } from '../../operation/one-statement.ts';
import { rowsOf, rowsOutsideTransaction, run } from '../../platform/database/statement.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { notify } from '../notifications/notify.service.ts';

export interface CallingKey {
  id: string;
  merchantId: string;
  mode: Mode;
  /** Null when the key may do everything. */
  scopes: Scope[] | null;
  currency: string;
  isRevoked: boolean;
  isExpired: boolean;
  isSuspended: boolean;
  /** The key's last use before this call, in milliseconds since 1970. */
  lastUsedMs: number | null;
  /** Whether the stored time of the key's last use is less than a minute old. */
  isUseRecorded: boolean;
  /** Whether people were notified that this key was used after its end. */
  isLateUseReported: boolean;
}

const usability = sql`revoked_at is not null as "isRevoked",
  expires_at is not null and expires_at <= now() as "isExpired",
  suspended_at is not null as "isSuspended"`;

/** Every call with a key runs this query, so it is plain SQL: loading entities with the ORM dominated cheap calls. */
export async function findCallingKey(context: Context, hash: Buffer): Promise<CallingKey | null> {
  const rows = await rowsOutsideTransaction<CallingKey>(context)`
    select api_key.id, merchant.id as "merchantId", mode, scopes, currency,
      ${usability},
      (extract(epoch from last_used_at) * 1000)::float8 as "lastUsedMs", last_used_at is not null and last_used_at > now() - interval '1 minute' as "isUseRecorded",
      late_use_at is not null as "isLateUseReported"
    from api_key join merchant on merchant.id = merchant_id
    where hash = ${hash}`;
  return rows[0] ?? null;
}

type Usability = Pick<CallingKey, 'isRevoked' | 'isExpired' | 'isSuspended'>;

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

/** Keys are remembered for less than a minute, because the stored time of a key's last use is exact to a minute. */
const rememberedMs = 5000;
/** 10,000 keys take about three megabytes. When more keys come, all remembered keys are forgotten. */
const maxKnown = 10_000;

// A remembered key may have been revoked, so only operations that check the key again while they write may use it.
// See docs/decisions/requests.md, "An operation that inserts one row is one statement".
export interface KnownKeys {
  find(hash: string): CallingKey | undefined;
  add(hash: string, key: CallingKey): void;
}

export function createKnownKeys(): KnownKeys {
  const known = new Map<string, { key: CallingKey; untilMs: number }>();
  return {
    find(hash) {
      const found = known.get(hash);
      return found && performance.now() < found.untilMs ? found.key : undefined;
    },
    add(hash, key) {
      if (known.size >= maxKnown) known.clear();
      known.set(hash, { key, untilMs: performance.now() + rememberedMs });
    },
  };
}

/** The request does not wait until the last use is saved, and succeeds even if saving fails. */
export interface KeyUses {
  note(context: Context, key: CallingKey): void;
  /** Notifies people of a call with a key that has expired or was revoked, once for each key. */
  noteLate(context: Context, key: CallingKey): void;
}

export function createKeyUses(): KeyUses {
  /** The ids of keys about which something is being written, so that concurrent calls cause one statement. */
  const writesInProgress = new Set<string>();
  const write = (context: Context, id: string, { work, failure }: KeyWrite) => {
    if (writesInProgress.has(id)) return;
    writesInProgress.add(id);
    work(context, id)
      .catch((error) => context.log.warn({ err: error, apiKeyId: id }, failure))
      .finally(() => writesInProgress.delete(id));
  };
  return {
    note(context, { id, isUseRecorded }) {
      if (isUseRecorded) return;
      write(context, id, { work: writeUse, failure: 'Failed to save the time of the last use of an API key' });
    },
    noteLate(context, { id, isRevoked, isExpired, isLateUseReported }) {
      if (!(isRevoked || isExpired) || isLateUseReported || !context.config.mail) return;
      write(context, id, { work: reportLateUse, failure: 'Failed to report the use of an API key after its end' });
    },
  };
}

interface KeyWrite {
  work: (context: Context, id: string) => Promise<void>;
  failure: string;
}

async function reportLateUse(context: Context, id: string): Promise<void> {
  await inTransaction(withFreshEntityManager(context), async (tx) => {
    const [key] = await rowsOf<{ merchantId: string; mode: Mode; label: string; name: string | null }>(tx)`
      update api_key set late_use_at = ${tx.clock.now()} where id = ${id} and late_use_at is null
      returning merchant_id as "merchantId", mode, prefix || '…' || last4 as label, name`;
    if (!key) return;
    const { merchantId, mode, label, name } = key;
    const details = { event: 'used_after_end', key: label, name, by: null } as const;
    await notify(tx, { kind: 'api_key', merchantId, mode, details });
  });
}

/** Uses a separate entity manager, because the request's entity manager belongs to the operation's transaction. */
async function writeUse(context: Context, id: string): Promise<void> {
  const now = context.clock.now();
  await inTransaction(withFreshEntityManager(context), async (tx) => {
    await run(tx)`
      update api_key set last_used_at = ${now}
      where id = ${id} and (last_used_at is null or last_used_at <= ${now}::timestamptz - interval '1 minute')`;
  });
}
