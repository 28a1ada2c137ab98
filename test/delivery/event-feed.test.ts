import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Tillhook } from '@tillhook/sdk';
import { withFreshEntityManager } from '@tillhook/server/src/context.ts';
import { inTransaction } from '@tillhook/server/src/platform/database/transaction.ts';
import { listEvents } from '@tillhook/server/src/webhooks/events/events.service.ts';
import { type Publication, publish } from '@tillhook/server/src/webhooks/queue/publish.ts';
import test from 'ava';
import { contextAt } from '../statistics/owners.ts';
import { holdEvent, insertEvent } from '../support/events/held-event.ts';
import { eventually } from '../support/eventually.ts';
import { serverWithContext } from '../support/server/tillhook.ts';

/** `FEED_EVENTS=100000` takes some minutes. */
const wanted = Number(process.env.FEED_EVENTS ?? 3000);
const writers = 16;
const maxHoldMs = 30;
const maxInTransaction = 6;

// The pool has more connections than there are writers, because each writer keeps one connection for its transaction.
const server = serverWithContext({ ROLE: 'api', DATABASE_POOL_SIZE: '24' });

async function writeEvents(merchantId: string, taken: { left: number }): Promise<void> {
  while (taken.left > 0) {
    const count = Math.min(randomInt(1, maxInTransaction), taken.left);
    const isRolledBack = randomInt(10) === 0;
    if (!isRolledBack) taken.left -= count;
    await inTransaction(withFreshEntityManager(server().context), async (tx) => {
      for (let number = 0; number < count; number += 1) {
        await publish(tx, publicationFor(merchantId));
        if (randomInt(4) === 0) await sleep(randomInt(maxHoldMs));
      }
      if (isRolledBack) throw new RolledBack();
    }).catch((error) => {
      if (!(error instanceof RolledBack)) throw error;
    });
  }
}

class RolledBack extends Error {}

const publicationFor = (merchantId: string): Publication => ({
  merchantId,
  mode: 'test',
  name: 'checkout.success',
  reference: 'order-1',
  data: { reference: 'order-1', amount: 5, currency: 'NGN', status: 'completed', customerEmail: 'ada@example.com' },
  occurredAt: new Date(),
  traceparent: null,
});

/**
 * Empty pages are allowed, because an event becomes final later than its commit while other tests have open
 * transactions.
 */
const maxEmptyPages = 20;

async function follow(client: Tillhook, isWritten: () => boolean): Promise<string[]> {
  const seen: string[] = [];
  for (let emptyPages = 0; emptyPages < maxEmptyPages && !(isWritten() && seen.length >= wanted); ) {
    const after = seen.at(-1);
    const { events } = await client.events.list({ ...(after ? { after } : { order: 'asc' }), wait: 1, limit: 100 });
    seen.push(...events.map(({ id }) => id));
    emptyPages = isWritten() && events.length === 0 ? emptyPages + 1 : 0;
  }
  return seen;
}

test(`a reader gets each of ${wanted} events once, while ${writers} writers hold their transactions open at random`, async (t) => {
  t.timeout(30 * 60_000);
  const { id: merchantId, client } = await server().createMerchant();
  let isWritten = false;
  const taken = { left: wanted };

  const written = Promise.all(Array.from({ length: writers }, () => writeEvents(merchantId, taken)));
  const reading = follow(client, () => isWritten);
  await written;
  isWritten = true;
  const seen = await reading;

  const saved = await server().database.query<{ id: string }>('select id from event where merchant_id = $1', [
    merchantId,
  ]);
  const ids = new Set(saved.map(({ id }) => id));
  const late = seen.filter((id, place) => id < (seen[place - 1] ?? ''));
  t.log(
    `${saved.length} events, ${ids.size - new Set(seen).size} missed, ${late.length} committed after one with a higher id`,
  );
  t.is(saved.length, wanted);
  t.is(seen.length, wanted);
  t.is(new Set(seen).size, wanted);
  t.true(seen.every((id) => ids.has(id)));
  // If too few transactions committed late, the test would prove nothing.
  t.true(late.length > wanted / 100);
});

test('an event whose transaction commits late comes after the events that a reader has seen, even if its id is a day older', async (t) => {
  const merchant = await server().createMerchant();
  const { client } = merchant;
  const first = await insertEvent(t, server(), { merchant });
  const late = await holdEvent(t, server(), { merchant, at: new Date(Date.now() - 25 * 3_600_000) });
  const second = await insertEvent(t, server(), { merchant });
  const idsAfter = async (after: string) => (await client.events.list({ after })).events.map(({ id }) => id);

  await eventually(async () => (await client.events.list({ order: 'asc' })).events.map(({ id }) => id), [first]);
  t.deepEqual(await idsAfter(first), []);
  t.deepEqual(
    (await client.events.list({})).events.map(({ id }) => id),
    [second, first],
  );

  await late.commit();

  t.deepEqual(
    await eventually(
      () => idsAfter(first),
      ({ length }) => length === 2,
    ),
    [late.id, second],
  );
  t.deepEqual(await idsAfter(late.id), [second]);
});

// The test is serial, because no call of another test may wait during this test.
test.serial('a call that waits gets an event whose transaction id Postgres reused after a crash', async (t) => {
  const merchant = await server().createMerchant();
  const { client } = merchant;
  const { database, arrange } = server();
  const first = await insertEvent(t, server(), { merchant });
  await eventually(async () => (await client.events.list({ order: 'asc' })).total, 1);
  const again = await insertEvent(t, server(), { merchant, mode: 'live' });
  const reading = client.events.list({ after: first, wait: 25 });
  await eventually(() => arrange('countHeldCalls', {}), 1);

  // Gives the event a position that the call has already passed, as if Postgres had reused a transaction id.
  const number = '(select feed_position + 1 from event where id = $2)';
  await database.query(`update event set mode = 'test', feed_position = ${number} where id = $1`, [again, first]);
  const next = await insertEvent(t, server(), { merchant });

  t.deepEqual(
    (await reading).events.map(({ id }) => id),
    [again, next],
  );
});

test('a call with a page that is not full lasts at least a tenth of a second, so that the reader of a busy feed makes few calls', async (t) => {
  const merchant = await server().createMerchant();
  const id = await insertEvent(t, server(), { merchant });
  await eventually(async () => (await merchant.client.events.list({ order: 'asc' })).total, 1);
  const context = contextAt(server(), { now: new Date(), merchantId: merchant.id });
  const page = { order: 'asc', wait: 25, limit: 20, offset: 0 } as const;

  const startedAt = performance.now();
  const pages: Awaited<ReturnType<typeof listEvents>>[] = [];
  for (let count = 0; count < 5; count += 1) pages.push(await listEvents(context, {}, page));
  const lastedMs = performance.now() - startedAt;

  t.deepEqual(
    pages.map(({ records }) => records.map((event) => event.id)),
    Array.from({ length: 5 }, () => [id]),
  );
  t.true(lastedMs >= 500);
});
