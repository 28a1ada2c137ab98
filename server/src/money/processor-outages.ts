/**
 * Notices when the processor of live mode stops answering, and when it answers again. A call that succeeds writes
 * nothing, unless an earlier call of this process failed.
 * See docs/decisions/mail.md, "A processor is silent when every call fails for five minutes".
 */
import { sql } from 'kysely';
import { type Context, type WriteContext, withFreshEntityManager } from '../context.ts';
import type { Mode } from '../kit/mode.ts';
import { notify } from '../people/notifications/notify.service.ts';
import { rowsOf, run } from '../platform/database/statement.ts';
import { inTransaction } from '../platform/database/transaction.ts';
import { answerInTime, reasonOf } from '../processors/answer-in-time.ts';
import type { CheckoutProcessor } from '../processors/port.ts';

/** A processor that answered this process within a minute is not silent, even if one of its calls failed. */
const heardMs = 60_000;
const silentMinutes = 5;
/** Longer than the pause after which an open attempt is asked about again. */
const quietMinutes = 30;

/** When each processor last answered this process, as `performance.now()`. */
const heardAtMs = new WeakMap<CheckoutProcessor, number>();
const failing = new WeakSet<CheckoutProcessor>();

/** Rejects when the processor gives no answer. */
export async function askProcessor<Answer>(
  context: Context,
  { processor, mode }: { processor: CheckoutProcessor; mode: Mode },
  question: () => Promise<Answer>,
): Promise<Answer> {
  const isWatched = mode === 'live' && context.config.mail !== null;
  try {
    const answer = await answerInTime(question);
    if (isWatched) await noteAnswer(context, processor);
    return answer;
  } catch (error) {
    if (isWatched) await noteSilence(context, processor, reasonOf(error));
    throw error;
  }
}

async function noteAnswer(context: Context, processor: CheckoutProcessor): Promise<void> {
  heardAtMs.set(processor, performance.now());
  if (failing.delete(processor)) await save(context, (tx) => endOutages(tx, processor.name));
}

async function noteSilence(context: Context, processor: CheckoutProcessor, reason: string): Promise<void> {
  const heardMsAgo = performance.now() - (heardAtMs.get(processor) ?? Number.NEGATIVE_INFINITY);
  if (heardMsAgo < heardMs) return;
  failing.add(processor);
  await save(context, async (tx) => {
    await run(tx)`
      insert into processor_outage (processor, began_at, failed_at, reason)
      values (${processor.name}, now(), now(), ${reason})
      on conflict (processor) do update set failed_at = now(), reason = excluded.reason`;
  });
}

/** The result of the call counts, even if the note about it fails. */
async function save(context: Context, work: (tx: WriteContext) => Promise<void>): Promise<void> {
  try {
    await inTransaction(withFreshEntityManager(context), work);
  } catch (error) {
    context.log.warn({ err: error }, 'Failed to note whether the processor answers');
  }
}

export async function reportOutages(context: Context): Promise<void> {
  if (!context.config.mail) return;
  await inTransaction(withFreshEntityManager(context), async (tx) => {
    const silent = await rowsOf<Outage>(tx)`
      update processor_outage set reported_at = now()
      where reported_at is null and failed_at >= began_at + make_interval(mins => ${silentMinutes})
      returning ${outage}`;
    for (const each of silent) await notifyOf(tx, 'silent', each);
    await endOutages(tx);
  });
}

interface Outage {
  processor: string;
  sinceMs: number;
  reason: string;
  isReported: boolean;
}

const outage = sql`processor, extract(epoch from began_at)::float8 * 1000 as "sinceMs", reason,
  reported_at is not null as "isReported"`;

/** Without a name, ends the outages in which no call has failed for a while. */
async function endOutages(tx: WriteContext, processor: string | null = null): Promise<void> {
  const ended = await rowsOf<Outage>(tx)`
    delete from processor_outage
    where processor = ${processor} or failed_at < now() - make_interval(mins => ${quietMinutes})
    returning ${outage}`;
  for (const each of ended) if (each.isReported) await notifyOf(tx, 'answers', each);
}

function notifyOf(tx: WriteContext, event: 'silent' | 'answers', { processor, sinceMs, reason }: Outage) {
  const details = { event, processor, since: new Date(sinceMs).toISOString(), reason };
  return notify(tx, { kind: 'processor_silent', merchantId: null, mode: 'live', details });
}
