import type { Claimed } from '@tillhook/server/src/context.ts';
import { inOwnStatement } from '@tillhook/server/src/platform/database/statement.ts';
import { claim, firstEndpoint, handBack, maxClaims } from '@tillhook/server/src/webhooks/queue/claim.ts';
import { record } from '@tillhook/server/src/webhooks/queue/record.ts';
import test from 'ava';
import { daysAgo, insertDeliveries, unreachableUrl } from '../support/receivers/deliveries.ts';
import { type ServerWithContext, serverWithContext } from '../support/server/tillhook.ts';

/** This server has no dispatcher, so that only the tests claim deliveries. */
const api = serverWithContext({ ROLE: 'api', DATABASE_POOL_SIZE: '20' });
const everything = { slots: 200, slotsPerEndpoint: 50, slotsOf: new Map(), excluded: [], after: firstEndpoint };

async function insertDue(
  server: ServerWithContext,
  { endpoints, each }: { endpoints: number; each: number },
): Promise<string[]> {
  const merchant = await server.createMerchant();
  const ids: string[] = [];
  for (let n = 0; n < endpoints; n++) {
    const { id: webhookId } = await merchant.client.webhookEndpoints.register({ url: unreachableUrl });
    ids.push(...(await insertDeliveries(server, merchant, { webhookId, count: each, status: 'pending' })));
  }
  await makeAllDue(server);
  return ids;
}

const makeAllDue = (server: ServerWithContext) =>
  server.database.query('update pending_delivery set due_at = now(), held_until = null');

const claimAll = async ({ context }: ServerWithContext, request = everything): Promise<Claimed[]> =>
  (await inOwnStatement(context, (statement) => claim(statement, request))).deliveries;

const rowsOf = ({ database }: ServerWithContext) =>
  database.query(
    `select id, status, status_reason, delivery.attempt_count, completed_at, is_retry, pending_delivery.claims, pending_delivery.lease, due_at, held_until
     from delivery left join pending_delivery on delivery_id = id order by id`,
  );

function delivered(delivery: Claimed) {
  const outcome = {
    statusCode: 200,
    error: null,
    errorCause: null,
    retryAfter: null,
    endedAt: new Date(),
    durationMs: 1,
    responseHeaders: {},
    responseBody: 'ok',
    responseTruncated: false,
  };
  return { delivery, attempt: 1, startedAt: new Date(), outcome, next: { step: 'delivered' as const } };
}

// The tests run one after another, because a claim takes the due deliveries of all tests.
test.beforeEach(() =>
  api().database.query('truncate delivery, pending_delivery, delivery_attempt, webhook_endpoint, endpoint_report'),
);

test.serial('concurrent claims never take the same delivery, and together they take every delivery', async (t) => {
  const server = api();
  const due = await insertDue(server, { endpoints: 7, each: 60 });

  const claimed: Claimed[] = [];
  for (let round = 0; round < 20; round++) {
    const workers = Array.from({ length: 8 }, () =>
      claimAll(server, { ...everything, slots: 40, slotsPerEndpoint: 8 }),
    );
    claimed.push(...(await Promise.all(workers)).flat());
  }

  t.is(new Set(claimed.map(({ id }) => id)).size, claimed.length);
  t.deepEqual(claimed.map(({ id }) => id).sort(), due.sort());
});

test.serial('a claim returns the event of each delivery, whether the event is from today or weeks old', async (t) => {
  const server = api();
  const merchant = await server.createMerchant();
  const { id: webhookId } = await merchant.client.webhookEndpoints.register({ url: unreachableUrl });
  const given = { webhookId, status: 'pending' } as const;
  await insertDeliveries(server, merchant, { ...given, reference: 'today' });
  await insertDeliveries(server, merchant, { ...given, reference: 'three days ago', createdAt: daysAgo(3) });
  await insertDeliveries(server, merchant, { ...given, reference: 'twenty days ago', createdAt: daysAgo(20) });
  await makeAllDue(server);

  const claimed = await claimAll(server);

  t.deepEqual(claimed.map(({ eventBody }) => JSON.parse(`${eventBody}"}`).data.reference).sort(), [
    'three days ago',
    'today',
    'twenty days ago',
  ]);
  t.deepEqual(new Set(claimed.map(({ eventName }) => eventName)), new Set(['checkout.success']));
});

test.serial('a worker whose lease has ended cannot complete a delivery that another worker has claimed', async (t) => {
  const server = api();
  await insertDue(server, { endpoints: 1, each: 1 });
  const [stale] = (await claimAll(server)) as [Claimed];
  await makeAllDue(server);
  const [fresh] = (await claimAll(server)) as [Claimed];
  const before = await rowsOf(server);

  await inOwnStatement(server.context, (statement) => record(statement, [delivered(stale)]));

  t.is(fresh.id, stale.id);
  t.deepEqual(await rowsOf(server), before);
  t.deepEqual(await server.database.query('select id from delivery_attempt'), []);
  t.like(await server.database.query('select success_count from webhook_endpoint'), [{ success_count: '0' }]);

  await inOwnStatement(server.context, (statement) => record(statement, [delivered(fresh)]));

  t.like(await rowsOf(server), [{ status: 'delivered', attempt_count: 1 }]);
});

test.serial(
  'a worker whose lease has ended cannot complete a delivery that another worker has completed',
  async (t) => {
    const server = api();
    await insertDue(server, { endpoints: 1, each: 1 });
    const [stale] = (await claimAll(server)) as [Claimed];
    await makeAllDue(server);
    const [fresh] = (await claimAll(server)) as [Claimed];
    await inOwnStatement(server.context, (statement) => record(statement, [delivered(fresh)]));

    await inOwnStatement(server.context, (statement) => record(statement, [delivered(stale)]));

    t.is((await server.database.query('select id from delivery_attempt')).length, 1);
    t.like(await server.database.query('select success_count from webhook_endpoint'), [{ success_count: '1' }]);
  },
);

test.serial('handing deliveries back changes no lease of another worker', async (t) => {
  const server = api();
  await insertDue(server, { endpoints: 1, each: 2 });
  const stale = await claimAll(server);
  await makeAllDue(server);
  const [fresh] = (await claimAll(server, { ...everything, slots: 1 })) as [Claimed];
  const rowOfFresh = async () => (await rowsOf(server)).find(({ id }) => id === fresh.id);
  const before = await rowOfFresh();

  await inOwnStatement(server.context, (statement) => handBack(statement, stale, 0));

  t.deepEqual(await rowOfFresh(), before);
  t.deepEqual(
    (await rowsOf(server)).filter(({ id }) => id !== fresh.id).map(({ lease, claims }) => ({ lease, claims })),
    [{ lease: null, claims: 0 }],
  );
});

test.serial(
  'the claims of a delivery are counted until it becomes a poison delivery, and handing the delivery back subtracts one claim',
  async (t) => {
    const server = api();
    await insertDue(server, { endpoints: 1, each: 1 });
    for (let round = 0; round < maxClaims + 2; round += 1) {
      await makeAllDue(server);
      await claimAll(server);
    }
    const [{ claims = 0, lease = '' } = {}] = await rowsOf(server);
    t.is(claims, maxClaims);

    await makeAllDue(server);
    const again = await claimAll(server);
    t.not(again[0]?.lease, lease);
    await inOwnStatement(server.context, (statement) => handBack(statement, again, 0));

    t.like(await rowsOf(server), [{ claims: maxClaims - 1, lease: null }]);
  },
);
