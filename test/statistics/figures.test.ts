import { listEndpointHealth } from '@tillhook/server/src/statistics/endpoint-health.service.ts';
import { endpointHealthListView } from '@tillhook/server/src/statistics/endpoint-health.view.ts';
import { getOverview } from '@tillhook/server/src/statistics/overview.service.ts';
import { overviewView } from '@tillhook/server/src/statistics/overview.view.ts';
import test from 'ava';
import fc from 'fast-check';
import { serverWithContext } from '../support/server/tillhook.ts';
import { healthCounted, overviewCounted } from './counted.ts';
import { generatedRows, writeRows } from './generated-rows.ts';
import { contextAt, createOwner } from './owners.ts';

/** The server runs no jobs, because jobs would remove old rows while the test reads them. */
const server = serverWithContext({ ROLE: 'api' });
const periods = [1, 7, 30, 90] as const;
const someMoments = ['2026-11-21T10:15:00.000Z', '2026-03-01T00:00:00.000Z', '2028-02-29T23:59:59.999Z'];

for (const moment of someMoments) {
  test(`the overview equals the figures that plain loops count from generated rows, at ${moment}`, async (t) => {
    const now = new Date(moment);
    let compared = 0;

    await fc.assert(
      fc.asyncProperty(generatedRows(now, periods), async (rows) => {
        const owners = [await createOwner(server()), await createOwner(server())];
        await writeRows(server().database, owners, rows);

        for (const keptDays of [30, 400]) {
          for (const days of periods) {
            const context = contextAt(server(), { now, merchantId: owners[0]?.id ?? '', retentionDays: keptDays });
            const overview = await getOverview(context, days);
            const { now: present, before, intervals } = overviewView(overview);

            t.deepEqual({ now: present, before, intervals }, overviewCounted(rows, { now, days, keptDays }));
            compared += 1;
          }
        }
      }),
      { numRuns: 3, endOnFailure: true },
    );

    t.is(compared, 24);
  });
}

test('endpoint health counts the deliveries and attempts of each existing endpoint in each hour', async (t) => {
  const now = new Date('2026-11-21T10:15:00.000Z');
  let compared = 0;

  await fc.assert(
    fc.asyncProperty(generatedRows(now, [1, 2]), async (rows) => {
      const owners = [await createOwner(server()), await createOwner(server())];
      await writeRows(server().database, owners, rows);
      const [ada = { id: '', endpoints: { test: [] } }] = owners;
      // The newest endpoint comes first, and the third endpoint was removed.
      const endpoints = ada.endpoints.test.slice(0, 2);

      for (const hours of [1, 24, 168]) {
        const health = await listEndpointHealth(contextAt(server(), { now, merchantId: ada.id }), hours);
        const shown = endpointHealthListView(health).endpoints.map(({ id, hours: each }) => ({ id, hours: each }));

        t.deepEqual(shown.reverse(), healthCounted(rows.deliveries, { now, hours, endpoints }));
        compared += 1;
      }
    }),
    { numRuns: 4, endOnFailure: true },
  );

  t.is(compared, 12);
});
