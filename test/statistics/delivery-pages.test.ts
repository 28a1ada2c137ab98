import { closeHours } from '@tillhook/server/src/webhooks/log/close-hours.job.ts';
import { type DeliveryFilter, listDeliveries } from '@tillhook/server/src/webhooks/log/deliveries.service.ts';
import test from 'ava';
import fc from 'fast-check';
import { serverWithContext } from '../support/server/tillhook.ts';
import { type DeliveryRow, generatedRows, writeRows } from './generated-rows.ts';
import { contextAt, createOwner } from './owners.ts';

/** The server runs no jobs, so that hours are closed only when the test closes them. */
const server = serverWithContext({ ROLE: 'api' });
const hourMs = 3_600_000;
const limit = 4;

type Context = ReturnType<typeof contextAt>;
type DeliveryQuery = Pick<DeliveryFilter, 'webhookId' | 'event' | 'status' | 'from' | 'to'> & {
  order?: 'asc' | 'desc';
};

function filtersAt(now: Date, webhookId: string): DeliveryQuery[] {
  const before = (hours: number) => new Date(now.getTime() - hours * hourMs).toISOString();
  const filters: DeliveryQuery[] = [
    {},
    { status: ['delivered'] },
    { webhookId, to: before(7.3) },
    { status: ['failed'], from: before(36.5) },
    { status: ['failed', 'skipped'], to: before(3.1) },
    { event: ['checkout.success'] },
    { event: ['checkout.failed', 'transfer.success'], status: ['pending', 'delivered'] },
    { event: ['checkout.failed'], webhookId, status: ['delivered'], from: before(60.2), to: before(1.1) },
  ];
  return filters.flatMap((filter) => [filter, { ...filter, order: 'asc' }]);
}

function momentsOf(rows: DeliveryRow[], { webhookId, event, status, from, to, order }: DeliveryQuery): number[] {
  const wanted = rows.filter(
    (row) =>
      row.owner === 0 &&
      row.mode === 'test' &&
      (!webhookId || row.endpoint === 1) &&
      (!event || event.includes(row.event)) &&
      (!status || status.includes(row.status)) &&
      (!from || row.at >= Date.parse(from)) &&
      (!to || row.at < Date.parse(to)),
  );
  const ascending = wanted.map(({ at }) => at).sort((one, other) => one - other);
  return order === 'asc' ? ascending : ascending.reverse();
}

const pagesOf = (moments: number[]) =>
  Array.from({ length: Math.ceil(moments.length / limit) + 1 }, (_, page) => ({
    total: moments.length,
    at: moments.slice(page * limit, (page + 1) * limit),
  }));

async function listPages(context: () => Context, filter: DeliveryQuery, count: number) {
  const pages: { total: number; at: number[] }[] = [];
  for (let page = 0; page < count; page += 1) {
    const { records, total } = await listDeliveries(context(), filter, {
      limit,
      offset: page * limit,
      order: filter.order,
    });
    pages.push({ total, at: records.map(({ delivery }) => delivery.createdAt.getTime()) });
  }
  return pages;
}

async function hasBothKinds(merchantId: string): Promise<boolean> {
  const kinds = await server().database.query(
    `select distinct exists (
       select from delivery_hour where merchant_id = $1 and delivery_hour.mode = delivery.mode and is_closed
         and starts_at = date_bin('1 hour', created_at, '1970-01-01T00:00:00Z')
     ) from delivery where merchant_id = $1 and mode = 'test'`,
    [merchantId],
  );
  return kinds.length === 2;
}

test('pages of deliveries from the counts of closed hours equal the pages from the deliveries alone', async (t) => {
  const now = new Date();
  let compared = 0;

  await fc.assert(
    fc.asyncProperty(generatedRows(now, [1, 7]), async ({ deliveries }) => {
      const owners = [await createOwner(server()), await createOwner(server())];
      const [{ id, endpoints } = { id: '', endpoints: { test: [] } }] = owners;
      await writeRows(server().database, owners, { payments: [], deliveries });
      const context = () => contextAt(server(), { now, merchantId: id, retentionDays: 400 });
      // Resets the job to the first hour, because each run inserts rows into hours that the job has already passed.
      await server().database.query('update delivery_hour_progress set until = null');
      await closeHours(context());
      t.true(await hasBothKinds(id));

      for (const filter of filtersAt(now, endpoints.test[1] ?? '')) {
        const wanted = pagesOf(momentsOf(deliveries, filter));
        t.deepEqual(await listPages(context, filter, wanted.length), wanted, JSON.stringify(filter));
        compared += 1;
      }
    }),
    { numRuns: 2, endOnFailure: true },
  );

  t.is(compared, 2 * 16);
});
