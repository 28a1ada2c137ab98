import { setTimeout as sleep } from 'node:timers/promises';
import { newProducer, type Producer } from '../producer.ts';
import type { Stage } from '../stage.ts';
import { waitUntilDelivered } from '../tally.ts';

/** The interval is so long that an attempt at a hanging receiver ends before the next event. */
const everyMs = 10_000;
const patienceMs = 120_000;

interface Sending {
  stop(): Promise<{ note: string; broken: string[] }>;
}

export async function sendToMisbehavingReceivers(stage: Stage, urls: Record<string, string>): Promise<Sending> {
  const producers: Producer[] = [];
  for (const url of Object.values(urls)) producers.push(await newProducer(stage, { url, endpoints: 1 }));
  const merchantIds = producers.map(({ merchantId }) => merchantId);
  const stopping = new AbortController();

  async function send(): Promise<void> {
    for (let round = 1; !stopping.signal.aborted; round++) {
      for (const producer of producers) {
        await producer.queueEvents(1);
        await sleep(everyMs / producers.length, undefined, { signal: stopping.signal }).catch(() => {});
      }
      // An endpoint that answered 410 stays inactive for one round, in which its deliveries are skipped.
      if (round % 2 === 0) await activate(stage, merchantIds);
    }
  }

  const sending = send();
  // `end` awaits this promise and reports its failure.
  sending.catch(() => {});
  const end = async () => {
    stopping.abort();
    await sending;
  };
  stage.running.defer(end);
  return {
    async stop() {
      await end();
      await waitUntilDelivered(stage, merchantIds, { patienceMs });
      const queued = producers.reduce((sum, { committed }) => sum + committed.size, 0);
      const { delivered, failed, skipped } = await countEnded(stage, merchantIds);
      const open = queued - delivered - failed - skipped;
      return {
        note: `${producers.length} misbehaving receivers: ${delivered} delivered, ${failed} failed, ${skipped} skipped`,
        broken: open === 0 ? [] : [`${open} deliveries to misbehaving receivers did not end`],
      };
    },
  };
}

async function activate({ database }: Stage, merchantIds: readonly string[]): Promise<void> {
  await database.query(
    `update webhook_endpoint set is_active = true, disabled_reason = null, disabled_at = null
     where merchant_id = any($1) and not is_active`,
    [merchantIds],
  );
}

async function countEnded({ database }: Stage, merchantIds: readonly string[]) {
  const { rows } = await database.query(
    `select count(*) filter (where status = 'delivered')::int as delivered,
       count(*) filter (where status = 'failed')::int as failed, count(*) filter (where status = 'skipped')::int as skipped
     from delivery where merchant_id = any($1)`,
    [merchantIds],
  );
  return rows[0] as { delivered: number; failed: number; skipped: number };
}
