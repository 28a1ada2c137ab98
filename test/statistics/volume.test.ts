import { countPaymentHours } from '@tillhook/server/src/money/payments/count-payment-hours.job.ts';
import { countEntries } from '@tillhook/server/src/money/wallets/count-entries.job.ts';
import { getOverview } from '@tillhook/server/src/statistics/overview.service.ts';
import { overviewView } from '@tillhook/server/src/statistics/overview.view.ts';
import { closeHours } from '@tillhook/server/src/webhooks/log/close-hours.job.ts';
import test from 'ava';
import fc from 'fast-check';
import { v7 } from 'uuid';
import { serverWithContext } from '../support/server/tillhook.ts';
import { deliveriesCounted, paymentsCounted } from './counted.ts';
import { generatedRows, type Rows, writeRows } from './generated-rows.ts';
import { contextAt, createOwner } from './owners.ts';

/** The server runs no jobs, so that entries are counted only when a test counts them. */
const server = serverWithContext({ ROLE: 'api' });
const zones = ['UTC', 'Africa/Lagos', 'Asia/Kolkata', 'Asia/Kathmandu', 'America/New_York', 'Australia/Lord_Howe'];
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** The clocks of New York change on 1 November 2026, and those of Lord Howe on 4 October. */
const now = new Date('2026-11-04T10:20:00.000Z');

interface Movement {
  account: string;
  type: 'payment' | 'refund' | 'refund_return' | 'fee' | 'top_up';
  amount: number;
  at: number;
}

type Given = Pick<Movement, 'type' | 'amount' | 'at'> & { isNgn: boolean };

const movement = fc.record({
  type: fc.constantFrom('payment', 'payment', 'refund', 'refund_return', 'fee', 'top_up'),
  amount: fc.integer({ min: 1, max: 1000 }),
  isNgn: fc.boolean(),
  at: fc.oneof(
    fc.integer({ min: now.getTime() - 190 * dayMs, max: now.getTime() - 1 }),
    fc.integer({ min: now.getTime() - 3 * dayMs, max: now.getTime() - 1 }),
    // A quarter of an hour around midnight in one of the zones.
    fc
      .tuple(
        fc.integer({ min: 1, max: 180 }),
        fc.constantFrom(4, 5, 13, 13.5, 18.25, 18.5, 23, 24),
        fc.integer({ min: -1, max: 1 }),
      )
      .map(([days, hours, ms]) => Math.floor(now.getTime() / dayMs - days) * dayMs + hours * hourMs + ms)
      .filter((at) => at < now.getTime()),
  ),
});

/** Writes entries as `post.ts` does: the numbers of an account have no gaps. */
async function postEntries(merchantId: string, moved: readonly Movement[]): Promise<void> {
  const { query } = server().database;
  for (const { account, type, amount, at } of moved) {
    const transaction = v7({ msecs: at });
    await query(
      `with posted as (
         insert into ledger_transaction (id, merchant_id, mode, currency, kind, source_id, created_at)
         select $1, $2, 'test', currency, 'payment', $1, $3 from ledger_account where id = $4
       ), changed as (
         update ledger_account as account set entry_count = account.entry_count + 1 from ledger_account as wallet
         where wallet.id = $4 and account.merchant_id = $2 and account.currency = wallet.currency
           and account.kind in (wallet.kind, 'funding')
         returning account.id, account.kind, account.entry_count
       )
       insert into ledger_entry (id, transaction_id, account_id, number, type, amount, balance)
       select gen_random_uuid(), $1, id, entry_count, $5, case kind when 'funding' then -$6::bigint else $6 end, 0
       from changed`,
      [transaction, merchantId, new Date(at), account, type, amount],
    );
  }
}

const signs = { payment: 1, refund: -1, refund_return: 1, fee: -1, top_up: -1 };

function volumeCounted(moved: readonly (Movement & { currency: string })[], isWithin: (at: number) => boolean) {
  const within = moved.filter(({ at, type }) => isWithin(at) && type !== 'top_up');
  const currencies = [...new Set(within.map(({ currency }) => currency))].sort();
  return currencies.map((currency) => {
    const sum = (...types: string[]) =>
      within
        .filter((one) => one.currency === currency && types.includes(one.type))
        .reduce((total, { amount }) => total + amount, 0);
    const [gross, refunds, fees] = [sum('payment'), 0 - sum('refund', 'refund_return'), 0 - sum('fee')];
    const payments = within.filter((one) => one.currency === currency && one.type === 'payment').length;
    return { currency, payments, gross, refunds, fees, net: gross - refunds - fees };
  });
}

for (const zone of zones) {
  test.serial(
    `volume, payments and deliveries of each day of ${zone} equal those that plain loops count by date`,
    async (t) => {
      const dates = new Intl.DateTimeFormat('sv-SE', { timeZone: zone });
      const times = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, hour: '2-digit', minute: '2-digit' });
      const dateOf = (at: number) => dates.format(at);
      let compared = 0;

      const seed = Date.now();
      t.log(`seed ${seed}`);
      const generated = fc.tuple(generatedRows(now, [1, 7]), fc.array(movement, { minLength: 80, maxLength: 120 }));
      const [[rows, given]] = fc.sample(generated, { seed, numRuns: 1 }) as [[Rows, Given[]]];
      moveToMidnights(rows, dateOf);
      const owners = [await createOwner(server()), await createOwner(server())];
      const [ada = { id: '' }] = owners;
      await writeRows(server().database, owners, rows);
      await server().database.query('update merchant set time_zone = $2 where id = $1', [ada.id, zone]);
      const accounts = await server().database.query<{ id: string; name: string }>(
        `insert into ledger_account (id, merchant_id, mode, currency, kind)
    select gen_random_uuid(), $1, 'test', currency, kind
    from unnest(array['NGN', 'USD']) as currency, unnest(array['collection', 'transfer', 'funding']) as kind
    returning id, currency || ' ' || kind as name`,
        [ada.id],
      );
      const moved = given.map(({ type, amount, isNgn, at }) => {
        const currency = isNgn ? 'NGN' : 'USD';
        const name = `${currency} ${type === 'fee' ? 'transfer' : 'collection'}`;
        const account = accounts.find((one) => one.name === name)?.id ?? '';
        return { account, currency, type, at, amount: amount * signs[type] } as Movement & { currency: string };
      });
      const context = () => contextAt(server(), { now, merchantId: ada.id, retentionDays: 400 });
      const look = async (known: typeof moved, situation: string) => {
        for (const days of [1, 7, 30, 90] as const) {
          const overview = overviewView(await getOverview(context(), days));
          const wanted = Array.from({ length: 2 * days }, (_, index) =>
            dateBefore(dateOf(now.getTime()), index),
          ).reverse();
          const ofNow = wanted.slice(days);
          const ofBefore = (at: number) =>
            wanted.slice(0, days).includes(dateOf(at)) &&
            (dateOf(at) !== wanted[days - 1] || times.format(at) < times.format(quarter(now.getTime())));

          t.deepEqual(
            overview.now.volume,
            volumeCounted(known, (at) => ofNow.includes(dateOf(at))),
            situation,
          );
          t.deepEqual(overview.before.volume, volumeCounted(known, ofBefore), situation);
          if (days === 1) continue;
          t.deepEqual(
            overview.intervals.map(({ startsAt, volume, payments, deliveries }) => ({
              date: dateOf(Date.parse(startsAt)),
              volume,
              payments,
              deliveries,
            })),
            ofNow.map((date) => {
              const ofDate = (at: number) => dateOf(at) === date && at < now.getTime();
              const all = { from: 0, to: now.getTime() };
              return {
                date,
                volume: volumeCounted(known, ofDate),
                payments: paymentsCounted(
                  rows.payments.filter(({ at }) => ofDate(at)),
                  all,
                ),
                deliveries: deliveriesCounted(
                  rows.deliveries.filter(({ at }) => ofDate(at)),
                  all,
                ),
              };
            }),
            situation,
          );
          compared += 1;
        }
      };

      const first = moved.slice(0, 60);
      await postEntries(ada.id, first);
      await look(first, 'nothing is counted');
      await countPaymentHours(context());
      // The job has passed these hours already when it ran for the zone before.
      await server().database.query('update delivery_hour_progress set until = null');
      await closeHours(context());
      await Promise.all([countEntries(context()), countEntries(context())]);
      await look(first, 'all is counted');
      await postEntries(ada.id, moved.slice(60));
      await look(moved, 'later entries are not counted yet');
      await countEntries(context());
      await look(moved, 'all is counted again');

      t.is(compared, 12);
    },
  );
}

/** Moves payments and deliveries to the first and the last millisecond of days, often in the middle of an hour of UTC. */
function moveToMidnights({ payments, deliveries }: Rows, dateOf: (at: number) => string): void {
  const quarters = Array.from({ length: 6 * 96 }, (_, index) => quarter(now.getTime()) - index * 900_000);
  const midnights = quarters.filter((at) => dateOf(at) !== dateOf(at - 1));
  const ended = deliveries.filter(({ status }) => status !== 'pending');
  for (const [index, at] of midnights.flatMap((midnight) => [midnight - 1, midnight]).entries()) {
    for (const row of [payments[index], ended[index]]) if (row) Object.assign(row, { owner: 0, mode: 'test', at });
  }
}

function dateBefore(date: string, days: number): string {
  return new Date(Date.parse(date) - days * dayMs).toISOString().slice(0, 10);
}

const quarter = (at: number) => Math.floor(at / 900_000) * 900_000;
