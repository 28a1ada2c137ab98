import type { Claimed } from '@tillhook/server/src/context.ts';
import { inOwnStatement } from '@tillhook/server/src/platform/database/statement.ts';
import { createClaimPlan } from '@tillhook/server/src/webhooks/dispatch/dispatcher.ts';
import { createFairQueue } from '@tillhook/server/src/webhooks/dispatch/fair-queue.ts';
import { type ClaimRequest, claim } from '@tillhook/server/src/webhooks/queue/claim.ts';
import test, { type ExecutionContext } from 'ava';
import { newIds } from '../support/database/new-ids.ts';
import { type ServerWithContext, startServerWithContext } from '../support/server/tillhook.ts';

/**
 * A process may hold eight times as many deliveries as it may have in flight. Of 256 deliveries in flight, 144 may
 * belong to one merchant in test mode, and 192 to test mode as a whole. So the process may hold 1,152 for the merchant
 * and 1,536 for test mode, while all other merchants hold few deliveries.
 */
const maxOfMerchant = 1152;
const maxOfTestMode = 1536;
const limits = { concurrency: 256, endpointConcurrency: 16, leaseMs: 60_000, timeoutMs: 15_000 };

type Mode = 'test' | 'live';

async function insertDue(
  { database, createMerchant }: ServerWithContext,
  { merchants = 1, mode, endpoints, each }: { merchants?: number; mode: Mode; endpoints: number; each: number },
): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < merchants; n++) {
    const { id } = await createMerchant();
    ids.push(id);
    const endpointIds = newIds(endpoints);
    const deliveryAndEventIds = [newIds(endpoints * each), newIds(endpoints * each)];
    await database.query(
      `with endpoint as (
         insert into webhook_endpoint (id, merchant_id, mode, url, sealed_secret, secret_last4, events, is_active, created_at)
         select id, $1, $2, 'https://example.com', '', '0000', '*', true, now() from unnest($3::uuid[]) as id
         returning id),
       queued as (
         select endpoint_id, delivery_id, event_id from unnest($4::uuid[], $5::uuid[], $6::uuid[])
           as given (endpoint_id, delivery_id, event_id)
           where endpoint_id in (select id from endpoint)),
       happened as (
         insert into event (id, merchant_id, mode, name, reference, body, created_at)
         select event_id, $1, $2, 'checkout.success', 'order-1', '{}', now() from queued)
       insert into pending_delivery (delivery_id, event_id, endpoint_id, due_at)
       select delivery_id, event_id, endpoint_id, now() from queued`,
      [
        id,
        mode,
        endpointIds,
        endpointIds.flatMap((endpointId) => Array(each).fill(endpointId)),
        ...deliveryAndEventIds,
      ],
    );
  }
  return ids;
}

/** The first `answered` deliveries of the merchant `of` are answered immediately, and all other deliveries never. */
async function claimAll({ context }: ServerWithContext, { answered = 0, of = '' } = {}): Promise<Claimed[]> {
  const plan = createClaimPlan(limits.concurrency);
  const queue = createFairQueue(limits);
  let claimed: Claimed[] = [];
  let leftToAnswer = answered;
  plan.noteWakeUp();
  for (let request = plan.begin(queue); request; request = plan.begin(queue)) {
    const wanted: ClaimRequest = request;
    const found = await inOwnStatement(context, (statement) => claim(statement, wanted));
    plan.finish(wanted, found);
    queue.add(found.deliveries, { statementAtMs: 0, nowMs: 0 });
    claimed.push(...found.deliveries);
    for (let next = queue.next(0); next; next = queue.next(0)) {
      if (leftToAnswer === 0 || next.target.merchantId !== of) continue;
      leftToAnswer -= 1;
      queue.end(next, 'quick');
      claimed = claimed.filter((one) => one !== next);
    }
  }
  return claimed;
}

const countOf = (claimed: Claimed[], fits: (target: Claimed['target']) => boolean) =>
  claimed.filter(({ target }) => fits(target)).length;

async function startWithoutDispatcher(t: ExecutionContext): Promise<ServerWithContext> {
  return startServerWithContext(t, { ROLE: 'api' });
}

for (const { endpoints, each, answered } of [
  { endpoints: 16, each: 1000, answered: 160 },
  { endpoints: 200, each: 20, answered: 0 },
]) {
  test(`${endpoints} endpoints of one merchant, each with ${each} due deliveries, leave capacity for every other merchant`, async (t) => {
    const server = await startWithoutDispatcher(t);
    const [many = ''] = await insertDue(server, { mode: 'test', endpoints, each });
    const others = [
      ...(await insertDue(server, { merchants: 4, mode: 'test', endpoints: 1, each: 5 })),
      ...(await insertDue(server, { merchants: 4, mode: 'live', endpoints: 1, each: 5 })),
    ];

    const claimed = await claimAll(server, { answered, of: many });

    t.deepEqual(
      others.map((id) => countOf(claimed, ({ merchantId }) => merchantId === id)),
      others.map(() => 5),
    );
    const ofMany = countOf(claimed, ({ merchantId }) => merchantId === many);
    t.true(ofMany >= 256 && ofMany <= maxOfMerchant, `${ofMany}`);
  });
}

test('two hundred endpoints in test mode leave capacity for every live merchant', async (t) => {
  const server = await startWithoutDispatcher(t);
  await insertDue(server, { merchants: 20, mode: 'test', endpoints: 10, each: 30 });
  const others = await insertDue(server, { merchants: 4, mode: 'live', endpoints: 1, each: 5 });

  const claimed = await claimAll(server);

  for (const id of others)
    t.is(
      countOf(claimed, ({ merchantId }) => merchantId === id),
      5,
    );
  const ofTestMode = countOf(claimed, ({ mode }) => mode === 'test');
  t.true(ofTestMode >= 512 && ofTestMode <= maxOfTestMode, `${ofTestMode}`);
});
