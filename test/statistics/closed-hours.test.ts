import { listEndpointHealth } from '@tillhook/server/src/statistics/endpoint-health.service.ts';
import { endpointHealthListView } from '@tillhook/server/src/statistics/endpoint-health.view.ts';
import { getOverview } from '@tillhook/server/src/statistics/overview.service.ts';
import { overviewView } from '@tillhook/server/src/statistics/overview.view.ts';
import { closeHours } from '@tillhook/server/src/webhooks/log/close-hours.job.ts';
import { listDeliveries } from '@tillhook/server/src/webhooks/log/deliveries.service.ts';
import { purgeDeliveries } from '@tillhook/server/src/webhooks/log/purge-deliveries.job.ts';
import test from 'ava';
import fc from 'fast-check';
import { serverWithContext } from '../support/server/tillhook.ts';
import { deliveriesCounted, healthCounted, overviewCounted } from './counted.ts';
import { type DeliveryRow, generatedRows, type Rows, writeRows } from './generated-rows.ts';
import { contextAt, createOwner } from './owners.ts';

/** The server runs no jobs, so that hours are closed only when a test closes them. */
const server = serverWithContext({ ROLE: 'api' });
const retentionDays = 20;
const hourMs = 3_600_000;

async function ownerOf(rows: Rows, now: Date) {
  const owners = [await createOwner(server()), await createOwner(server())];
  await writeRows(server().database, owners, rows);
  const [{ id, endpoints } = { id: '', endpoints: { test: [] } }] = owners;
  const context = () => contextAt(server(), { now, merchantId: id, retentionDays });
  // Resets the job to the first hour, because each run inserts rows into hours that the job has already passed.
  await server().database.query('update delivery_hour_progress set until = null');
  await closeHours(context());
  return { id, endpoints: endpoints.test, context };
}

const closedOf = async (merchantId: string) =>
  (
    await server().database.query<{ at: Date }>(
      'select starts_at as at from delivery_hour where merchant_id = $1 and mode = $2 and is_closed',
      [merchantId, 'test'],
    )
  ).map(({ at }) => at.getTime());

const totalFilters = (now: Date, endpointId: string | undefined) =>
  [
    {},
    { status: 'delivered' },
    { status: 'skipped', from: new Date(now.getTime() - 36.5 * hourMs).toISOString() },
    { to: new Date(now.getTime() - 24 * hourMs).toISOString() },
    { webhookId: endpointId, status: 'failed' },
    { event: 'checkout.failed' },
    { event: 'checkout.success', status: 'delivered' },
  ] as const;

test.serial(
  'figures and totals from the counts of closed hours equal the figures and totals from the deliveries alone',
  async (t) => {
    const now = new Date();
    let closed = 0;
    let compared = 0;

    await fc.assert(
      fc.asyncProperty(generatedRows(now, [1, 7]), async (rows) => {
        const { id, endpoints, context } = await ownerOf(rows, now);
        closed += (await closedOf(id)).length;

        for (const days of [1, 7, 30] as const) {
          const { now: present, before, intervals } = overviewView(await getOverview(context(), days));
          t.deepEqual(
            { now: present, before, intervals },
            overviewCounted(rows, { now, days, keptDays: retentionDays }),
          );
          compared += 1;
        }
        const health = endpointHealthListView(await listEndpointHealth(context(), 168));
        t.deepEqual(
          health.endpoints.map(({ id: endpoint, hours }) => ({ id: endpoint, hours })).reverse(),
          healthCounted(rows.deliveries, { now, hours: 168, endpoints: endpoints.slice(0, 2) }),
        );
        for (const { ...filter } of totalFilters(now, endpoints[1])) {
          const { total } = await listDeliveries(context(), inLists(filter), { limit: 1, offset: 0 });
          t.is(total, totalOf(rows.deliveries, filter), JSON.stringify(filter));
          compared += 1;
        }
      }),
      { numRuns: 3, endOnFailure: true },
    );

    t.is(compared, 30);
    t.true(closed > 5);
  },
);

interface DeliveryQuery {
  status?: DeliveryRow['status'];
  from?: string;
  to?: string;
  webhookId?: string | undefined;
  event?: DeliveryRow['event'];
}

function inLists({ status, event, ...others }: DeliveryQuery) {
  return { ...others, ...(status && { status: [status] }), ...(event && { event: [event] }) };
}

function totalOf(rows: DeliveryRow[], { status, from, to, webhookId, event }: DeliveryQuery): number {
  const time = { from: from ? Date.parse(from) : 0, to: to ? Date.parse(to) : Number.MAX_SAFE_INTEGER };
  const ofEndpoint = webhookId ? rows.filter(({ endpoint }) => endpoint === 1) : rows;
  const ofEvent = event ? ofEndpoint.filter((row) => row.event === event) : ofEndpoint;
  return deliveriesCounted(ofEvent, time)[status ?? 'created'];
}

const noPayments = { payments: [] };
const one = (at: number, status: DeliveryRow['status']): DeliveryRow => ({
  owner: 0,
  mode: 'test',
  endpoint: 0,
  event: 'checkout.success',
  status,
  isResent: false,
  attempts: [{ afterMs: 0, durationMs: 5, statusCode: 200, error: null }],
  at,
});

test.serial('an hour is closed one hour after its end, if none of its deliveries is pending', async (t) => {
  const now = Date.now();
  const hour = (before: number) => Math.floor(now / hourMs - before) * hourMs;
  const deliveries = [one(hour(1), 'delivered'), one(hour(3), 'delivered'), one(hour(5), 'pending')];

  const { id, context } = await ownerOf({ ...noPayments, deliveries }, new Date(now));
  // By the clock of the database, one more hour may already be old enough to be closed.
  const closable = Date.now() >= hour(-1) ? [hour(3), hour(1)] : [hour(3)];
  t.deepEqual((await closedOf(id)).sort(), closable.sort());

  await server().database.query(`update delivery set status = 'delivered' where merchant_id = $1`, [id]);
  await Promise.all([closeHours(context()), closeHours(context())]);
  t.deepEqual((await closedOf(id)).sort(), [hour(5), ...closable].sort());
  t.is((await listDeliveries(context(), {}, { limit: 1, offset: 0 })).total, 3);
});

test.serial('after a purge of its deliveries, an hour is no longer among the closed hours', async (t) => {
  const now = Date.now();
  const kept = now - 3 * 24 * hourMs;
  const deliveries = [one(kept - retentionDays * 24 * hourMs, 'delivered'), one(kept, 'delivered')];
  const { id, context } = await ownerOf({ ...noPayments, deliveries }, new Date(now));
  t.is((await closedOf(id)).length, 1);

  await purgeDeliveries(contextAt(server(), { now: new Date(now), merchantId: id, retentionDays: 2 }));

  t.deepEqual(await closedOf(id), []);
  t.is((await listDeliveries(context(), {}, { limit: 1, offset: 0 })).total, 0);
});
