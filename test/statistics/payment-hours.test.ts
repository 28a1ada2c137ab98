import { countPaymentHours } from '@tillhook/server/src/money/payments/count-payment-hours.job.ts';
import { listPayments, type PaymentFilter } from '@tillhook/server/src/money/payments/payments.service.ts';
import { getOverview } from '@tillhook/server/src/statistics/overview.service.ts';
import { overviewView } from '@tillhook/server/src/statistics/overview.view.ts';
import test from 'ava';
import fc from 'fast-check';
import { serverWithContext } from '../support/server/tillhook.ts';
import { overviewCounted } from './counted.ts';
import { generatedRows, type PaymentRow, writeRows } from './generated-rows.ts';
import { contextAt, createOwner } from './owners.ts';

/** The server runs no jobs, so that hours are counted only when a test counts them. */
const server = serverWithContext({ ROLE: 'api' });
const retentionDays = 400;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

type Change = Pick<PaymentRow, 'status' | 'amount' | 'currency' | 'failure'>;
type Context = ReturnType<typeof contextAt>;

const changes: fc.Arbitrary<Change[]> = fc.array(
  fc.record({
    status: fc.constantFrom('pending', 'processing', 'completed', 'failed', 'expired'),
    amount: fc.integer({ min: 1, max: 1000 }),
    currency: fc.constantFrom('NGN', 'USD'),
    failure: fc.constantFrom(null, ['lost_card', 'The card was lost'] as const),
  }),
  { minLength: 5, maxLength: 20 },
);

async function change(merchantIds: readonly string[], rows: PaymentRow[], to: readonly Change[]): Promise<void> {
  for (const [index, { status, amount, currency, failure }] of to.entries()) {
    const row = rows[index * 3];
    if (!row) continue;
    Object.assign(row, { status, amount, currency, failure });
    await server().database.query(
      `update payment set status = $1, amount = $2, currency = $3, failure_code = $4, failure_message = $5
       where id = (select id from payment where merchant_id = any ($6) and description = $7)`,
      [status, amount, currency, failure?.[0] ?? null, failure?.[1] ?? null, merchantIds, String(index * 3)],
    );
  }
}

async function compare(context: () => Context, payments: PaymentRow[], now: Date) {
  const figures: [shown: unknown, counted: unknown][] = [];
  for (const days of [1, 7, 30, 90] as const) {
    const { now: present, before, intervals } = overviewView(await getOverview(context(), days));
    const counted = overviewCounted({ payments, deliveries: [] }, { now, days, keptDays: retentionDays });
    figures.push([{ now: present, before, intervals }, counted]);
  }
  for (const filter of filtersAt(now)) {
    const wanted = payments.filter((row) => matches(row, filter)).sort((one, other) => other.at - one.at);
    figures.push([await allPages(context, filter), { total: wanted.length, at: wanted.map(({ at }) => at) }]);
  }
  return figures;
}

async function allPages(context: () => Context, filter: PaymentFilter) {
  const at: number[] = [];
  for (let offset = 0; ; offset += 20) {
    const { records, total } = await listPayments(context(), filter, { limit: 20, offset });
    if (records.length === 0) return { total, at };
    at.push(...records.map(({ createdAt }) => createdAt.getTime()));
  }
}

const filtersAt = (now: Date): PaymentFilter[] => [
  {},
  { status: ['completed'] },
  { status: ['failed'], currency: 'NGN' },
  {
    from: new Date(now.getTime() - 7.3 * dayMs).toISOString(),
    to: new Date(now.getTime() - 1.1 * dayMs).toISOString(),
  },
  { status: ['expired', 'completed'], to: new Date(now.getTime() - 30 * dayMs).toISOString() },
];

function matches(row: PaymentRow, { status, currency, from, to }: PaymentFilter): boolean {
  return (
    row.owner === 0 &&
    row.mode === 'test' &&
    (!status || status.includes(row.status)) &&
    (!currency || row.currency === currency) &&
    (!from || row.at >= Date.parse(from)) &&
    (!to || row.at < Date.parse(to))
  );
}

test.serial(
  'figures, totals and pages from counted hours equal the figures, totals and pages from the payments alone',
  async (t) => {
    const now = new Date();
    let compared = 0;

    await fc.assert(
      fc.asyncProperty(generatedRows(now, [1, 7]), changes, changes, async ({ payments }, first, second) => {
        const owners = [await createOwner(server()), await createOwner(server())];
        const ids = owners.map(({ id }) => id);
        await writeRows(server().database, owners, { payments, deliveries: [] });
        const context = () => contextAt(server(), { now, merchantId: ids[0] ?? '', retentionDays });
        const look = async (situation: string) => {
          for (const [shown, counted] of await compare(context, payments, now)) {
            t.deepEqual(shown, counted, situation);
            compared += 1;
          }
        };

        await countPaymentHours(context());
        await look('counted');
        await change(ids, payments, first);
        await look('changed since');
        await Promise.all([countPaymentHours(context()), change(ids, payments, second), countPaymentHours(context())]);
        await look('changed while they were counted');
        await countPaymentHours(context());
        await look('counted again');
      }),
      { numRuns: 2, endOnFailure: true },
    );

    t.is(compared, 2 * 4 * 9);
  },
);

test.serial(
  'the payments of an hour are counted one hour after its end, and again after one of the payments has changed',
  async (t) => {
    const { id } = await createOwner(server());
    const now = Date.now();
    const hour = (before: number) => Math.floor(now / hourMs - before) * hourMs;
    const context = () => contextAt(server(), { now: new Date(now), merchantId: id });
    const counts = () =>
      server().database.query(
        'select status, payments, amount::int from payment_hour_count where merchant_id = $1 and starts_at = $2',
        [id, new Date(hour(3))],
      );
    const due = () => server().database.query('select starts_at from payment_hour_due where merchant_id = $1', [id]);
    const payment = {
      owner: 0,
      mode: 'test',
      currency: 'NGN',
      amount: 5,
      failure: null,
      isUnderReview: false,
    } as const;
    const payments: PaymentRow[] = [
      { ...payment, status: 'expired', at: hour(3) },
      { ...payment, status: 'pending', at: now },
    ];
    await writeRows(server().database, [{ id, endpoints: { test: [], live: [] } }], { payments, deliveries: [] });
    await countPaymentHours(context());
    t.deepEqual(await counts(), [{ status: 'expired', payments: 1, amount: 5 }]);

    await change([id], payments, [{ status: 'completed', amount: 5, currency: 'NGN', failure: null }]);
    t.deepEqual(await due(), [{ starts_at: new Date(hour(3)) }]);
    await countPaymentHours(context());
    t.deepEqual(await counts(), [{ status: 'completed', payments: 1, amount: 5 }]);

    // The usual changes of a payment in the half hour after its creation do not mark its hour for a new count.
    await server().database.query(`update payment set status = 'completed' where merchant_id = $1`, [id]);
    t.deepEqual(await due(), []);
  },
);
