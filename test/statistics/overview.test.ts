/** Every figure of the overview, to the unit, beside what plain loops count in the same rows. */
import { type Context, ofItsOwn } from '@tillhook/server/src/context.ts';
import { getOverview } from '@tillhook/server/src/statistics/overview.service.ts';
import { overviewView } from '@tillhook/server/src/statistics/overview.view.ts';
import test from 'ava';
import fc from 'fast-check';
import { nobody } from '../support/deliveries.ts';
import { serverForFile, usualSettings } from '../support/tillhook.ts';
import { overviewCounted } from './counted.ts';
import { generatedRows, type Owner, writeRows } from './generated-rows.ts';

const server = serverForFile(usualSettings);
const periods = [1, 7, 30, 90] as const;
const someMoments = ['2026-11-21T10:15:00.000Z', '2026-03-01T00:00:00.000Z', '2028-02-29T23:59:59.999Z'];

async function ownerOf(): Promise<Owner> {
  const { id, client, liveClient } = await server().createMerchant();
  const three = async (of: typeof client) => {
    const made: string[] = [];
    for (let count = 0; count < 3; count += 1) made.push((await of.webhookEndpoints.register({ url: nobody })).id);
    await of.webhookEndpoints.remove(made[2] ?? '');
    return made;
  };
  return { id, endpoints: { test: await three(client), live: await three(liveClient) } };
}

const actor = { type: 'key', apiKeyId: '01997c3e-6f1d-7cc0-8e0b-2f5d9a1b4c7e' } as const;

function contextAt(now: Date, merchantId: string, retentionDays: number): Parameters<typeof getOverview>[0] {
  const context: Context = ofItsOwn(server().context);
  const principal = { merchantId, mode: 'test', currency: 'NGN', scopes: null, actor } as const;
  return { ...context, principal, clock: { now: () => now }, config: { ...context.config, retentionDays } };
}

for (const moment of someMoments) {
  test(`counts at ${moment} what is there, whatever is there`, async (t) => {
    const now = new Date(moment);
    let compared = 0;

    await fc.assert(
      fc.asyncProperty(generatedRows(now, periods), async (rows) => {
        const owners = [await ownerOf(), await ownerOf()];
        await writeRows(server().database, owners, rows);

        for (const keptDays of [30, 400]) {
          for (const days of periods) {
            const overview = await getOverview(contextAt(now, owners[0]?.id ?? '', keptDays), days);
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
