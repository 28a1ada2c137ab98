import { randomUUID } from 'node:crypto';
import { newId } from '@tillhook/server/src/kit/ids.ts';
import { listWalletEntries } from '@tillhook/server/src/money/wallets/statement.service.ts';
import test from 'ava';
import fc from 'fast-check';
import { contextAt } from '../statistics/owners.ts';
import { serverWithContext } from '../support/server/tillhook.ts';

const server = serverWithContext();
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const now = new Date();

/** Clocks differ by up to eight minutes, and some days have no entry. */
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

interface Posted {
  at: number;
  /** An entry that migration 009 wrote has an id of UUID version 4. */
  isOld?: boolean;
}

async function walletWith(posted: readonly Posted[]): Promise<string> {
  const { id } = await server().createMerchant();
  const [wallet, source] = [newId(), newId()];
  await server().database.query(
    `insert into ledger_account (id, merchant_id, mode, currency, kind, balance, entry_count)
     values ($1, $3, 'test', 'NGN', 'collection', $4, $4), ($2, $3, 'test', 'NGN', 'funding', -$4::int, $4)`,
    [wallet, source, id, posted.length],
  );
  const given = posted.map(({ at, isOld }, index) => ({
    id: newId(),
    entry_ids: [0, 1].map(() => (isOld ? randomUUID() : newId())),
    number: index + 1,
    created_at: new Date(at),
  }));
  await server().database.query(
    `with given as (
       select * from json_to_recordset($1) as given (id uuid, entry_ids uuid[], number int, created_at timestamptz)
     ), moved as (
       insert into ledger_transaction (id, merchant_id, mode, currency, kind, source_id, created_at)
       select id, $2, 'test', 'NGN', 'test_funding', id, created_at from given
     )
     insert into ledger_entry (id, transaction_id, account_id, number, type, amount, balance)
     select entry_ids[place], id, account_id, number, 'test_funding', sign, sign * number
     from given, (values (1, $3::uuid, 1), (2, $4::uuid, -1)) as side (place, account_id, sign)`,
    [JSON.stringify(given), id, wallet, source],
  );
  return id;
}

interface Within {
  from?: number | undefined;
  to?: number | undefined;
}

async function compare(merchantId: string, posted: readonly Posted[], { from, to }: Within) {
  const wanted = posted.map(({ at }, index) => ({ at, number: index + 1 })).reverse();
  const within = wanted.filter(({ at }) => (from === undefined || at >= from) && (to === undefined || at < to));
  const filter = {
    ...(from !== undefined && { from: new Date(from).toISOString() }),
    ...(to !== undefined && { to: new Date(to).toISOString() }),
  };
  const shown: number[] = [];
  const totals = new Set<number>();
  for (let offset = 0; offset <= within.length; offset += 7) {
    const page = { limit: 7, offset };
    const context = contextAt(server(), { now, merchantId });
    const { records, total } = await listWalletEntries(context, 'collection', { page, filter });
    totals.add(total);
    shown.push(...records.map(({ number }) => Number(number)));
  }
  return [
    { shown, totals: [...totals] },
    { shown: within.map(({ number }) => number), totals: [within.length] },
  ];
}

const edge = fc.option(fc.tuple(fc.nat(), fc.constantFrom(-11 * minuteMs, -1, 0, 1, 11 * minuteMs)));
const edges = fc.array(fc.tuple(edge, edge), { minLength: 8, maxLength: 8 });

const timeAt = (posted: readonly Posted[], [start, end]: [Edge, Edge]): Within => {
  const [from, to] = [start, end].map((about) =>
    about ? (posted[about[0] % posted.length]?.at ?? 0) + about[1] : undefined,
  );
  return { from, to };
};
type Edge = [number, number] | null;

test('a wallet statement has each entry of the period once, ordered by entry number, and the total number of entries', async (t) => {
  let compared = 0;

  await fc.assert(
    fc.asyncProperty(postedAt, edges, async (times, periods) => {
      const posted = times.map((at) => ({ at }));
      const merchantId = await walletWith(posted);
      for (const about of periods) {
        const [shown, wanted] = await compare(merchantId, posted, timeAt(posted, about));
        t.deepEqual(shown, wanted);
        compared += 1;
      }
    }),
    { numRuns: 4, endOnFailure: true },
  );

  t.is(compared, 32);
});

test('a wallet statement of a period has the entries that migration 009 wrote for payments of this period', async (t) => {
  const at = (days: number) => now.getTime() - days * dayMs;
  const daily = (from: number, to: number) =>
    Array.from({ length: from - to }, (_, index) => ({ at: at(from - index) }));
  const old = daily(90, 50).map((entry) => ({ ...entry, isOld: true }));
  const orders = {
    'first of all': [...old, ...daily(45, 5)],
    'after others': [...daily(65, 40), ...old, ...daily(35, 5)],
  };

  for (const [name, posted] of Object.entries(orders)) {
    const merchantId = await walletWith(posted);
    for (const time of [{}, { from: at(70) }, { to: at(48) }, { from: at(60.5), to: at(30) }, { from: at(20) }]) {
      const [shown, wanted] = await compare(merchantId, posted, time);
      t.deepEqual(shown, wanted, `${name}, ${JSON.stringify(time)}`);
    }
  }
});
