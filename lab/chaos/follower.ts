import { setTimeout as sleep } from 'node:timers/promises';
import { Tillhook } from '@tillhook/sdk';
import { findFollowed } from './delivery-rows.ts';
import type { Server } from './server.ts';
import type { Stage } from './stage.ts';

export interface Follower {
  end(): Promise<string[]>;
}

type EventName = 'checkout.success' | 'refund.success';

const patienceMs = 30_000;
const pauseMs = 100;

export function startFollower(
  stage: Stage,
  api: Server,
  shop: { id: string; key: string; only?: EventName },
): Follower {
  const { id: merchantId, key, only } = shop;
  const seen: string[] = [];
  const stop = new AbortController();
  const client = new Tillhook(key, { baseUrl: api.url, timeoutMs: 10_000 });
  const feed = client.events.follow({ from: 'oldest', ...(only && { event: only }) }, { signal: stop.signal });
  async function follow(): Promise<void> {
    for await (const { id } of feed) seen.push(id);
  }
  let failure: unknown;
  const following = follow().catch((error) => {
    failure = error;
  });
  stage.running.defer(() => stop.abort());
  return {
    async end() {
      const written = await findFollowed(stage.database, merchantId, only);
      for (const deadline = Date.now() + patienceMs; Date.now() < deadline && !seen.includes(written.at(-1) ?? ''); )
        await sleep(pauseMs);
      stop.abort();
      await following;
      const what = only ?? 'the merchant';
      const missed = written.filter((id) => !seen.includes(id)).length;
      const areInOrder = missed > 0 || seen.join() === written.join();
      return [
        ...(failure ? [`following the events of ${what} ended: ${failure}`] : []),
        ...(written.length === 0 ? [`${what} had no events to follow`] : []),
        ...(missed > 0 ? [`a follower missed ${missed} of ${written.length} events of ${what}`] : []),
        ...(areInOrder ? [] : [`a follower got events of ${what} twice or in another order`]),
      ];
    },
  };
}
