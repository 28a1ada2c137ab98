/** Pages of a long statement, which are found by the numbers of its entries. */
import { newId } from '@tillhook/server/src/kit/ids.ts';
import { listWalletEntries } from '@tillhook/server/src/wallets/statement.service.ts';
import test from 'ava';
import fc from 'fast-check';
import { contextAt } from '../statistics/owners.ts';
import { serverForFile, usualSettings } from '../support/tillhook.ts';

const server = serverForFile(usualSettings);
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const now = new Date();

/** When entries were posted, in the order of their numbers: clocks differ by up to eight minutes, and some days are quiet. */
const postedAt: fc.Arbitrary<number[]> = fc
  .array(
    fc.record({
      laterMs: fc.constantFrom(0, 1, minuteMs, 20 * minuteMs, 3 * dayMs),
      skewMs: fc.integer({ min: -4 * minuteMs, max: 4 * minuteMs }),
    }),
    { minLength: 1, maxLength: 120 },
  )
  .map((steps) => {
    let at = now.getTime() - 400 * dayMs;
    return steps.map(({ laterMs, skewMs }) => {
      at += laterMs;
      return at + skewMs;
    });
  });

async function walletWith(times: readonly number[]): Promise<string> {
  const { id } = await server().createMerchant();
  const [wallet, source] = [newId(), newId()];
  await server().database.query(
    `insert into ledger_account (id, merchant_id, mode, currency, kind, balance, entry_count)
     values ($1, $3, 'test', 'NGN', 'collection', $4, $4), ($2, $3, 'test', 'NGN', 'funding', -$4::int, $4)`,
    [wallet, source, id, times.length],
  );
  const given = times.map((at, index) => ({ id: newId(), number: index + 1, created_at: new Date(at) }));
  await server().database.query(
    `with given as (
       select * from json_to_recordset($1) as given (id uuid, number int, created_at timestamptz)
     ), moved as (
       insert into ledger_transaction (id, merchant_id, mode, currency, kind, source_id, created_at)
       select id, $2, 'test', 'NGN', 'test_funding', id, created_at from given
     )
     insert into ledger_entry (id, transaction_id, account_id, number, type, amount, balance)
     select gen_random_uuid(), id, account_id, number, 'test_funding', sign, sign * number
     from given, (values ($3::uuid, 1), ($4::uuid, -1)) as side (account_id, sign)`,
    [JSON.stringify(given), id, wallet, source],
  );
  return id;
}

test('a statement has each entry of the time once, by number, and their total', async (t) => {
  let compared = 0;
  const edge = fc.option(fc.tuple(fc.nat(), fc.constantFrom(-11 * minuteMs, -1, 0, 1, 11 * minuteMs)));

  await fc.assert(
    fc.asyncProperty(postedAt, fc.array(fc.tuple(edge, edge), { minLength: 8, maxLength: 8 }), async (times, asked) => {
      const merchantId = await walletWith(times);
      for (const [start, end] of asked) {
        const [from, to] = [start, end].map((about) => about && (times[about[0] % times.length] ?? 0) + about[1]);
        const wanted = times.map((at, index) => ({ at, number: index + 1 })).reverse();
        const within = wanted.filter(({ at }) => (from == null || at >= from) && (to == null || at < to));
        const filter = {
          ...(from != null && { from: new Date(from).toISOString() }),
          ...(to != null && { to: new Date(to).toISOString() }),
        };

        const numbers: number[] = [];
        for (let offset = 0; offset <= within.length; offset += 7) {
          const page = { limit: 7, offset };
          const context = contextAt(server(), { now, merchantId });
          const { records, total } = await listWalletEntries(context, 'collection', { page, filter });
          t.is(total, within.length);
          numbers.push(...records.map(({ number }) => Number(number)));
        }
        t.deepEqual(
          numbers,
          within.map(({ number }) => number),
        );
        compared += 1;
      }
    }),
    { numRuns: 4, endOnFailure: true },
  );

  t.is(compared, 32);
});
