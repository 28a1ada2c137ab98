/** The figures of every endpoint and hour equal those that plain loops count from the same rows. */
import { listEndpointHealth } from '@tillhook/server/src/statistics/endpoint-health.service.ts';
import { endpointHealthListView } from '@tillhook/server/src/statistics/endpoint-health.view.ts';
import test from 'ava';
import fc from 'fast-check';
import { serverForFile, usualSettings } from '../support/server/tillhook.ts';
import { healthCounted } from './counted.ts';
import { generatedRows, writeRows } from './generated-rows.ts';
import { contextAt, createOwner } from './owners.ts';

const server = serverForFile(usualSettings);

test('counts the deliveries and attempts of each existing endpoint in each hour', async (t) => {
  const now = new Date('2026-11-21T10:15:00.000Z');
  let compared = 0;

  await fc.assert(
    fc.asyncProperty(generatedRows(now, [1, 2]), async (rows) => {
      const owners = [await createOwner(server()), await createOwner(server())];
      await writeRows(server().database, owners, rows);
      const [ada = { id: '', endpoints: { test: [] } }] = owners;
      // The newest endpoint comes first, and the third one was removed.
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
