import { newId } from '@tillhook/server/src/kit/ids.ts';
import { type Child, startChild } from '../../support/child.ts';
import { startCpuMeter } from '../../support/cpu.ts';
import type { Bench } from '../bench.ts';
import { compare, type Measured } from '../contest.ts';
import { callsInFlight as inFlight } from '../post-in-turn.ts';
import type { Rate, Stint } from '../rounds.ts';
import { amount, referenceOf, type WalletWork } from './wallet-work.ts';
import { createWallets, resetWallets } from './wallets.ts';

const accounts = ['collection', 'refund_reserved'] as const;

const about = `From the service down, with no HTTP, key, limits or validation. Each refund is of another payment. The other sends
  the same statements in the same transactions, all of them prepared, over as many connections: the ratio is what types, checks
  and the ORM cost.`;

export async function measureRefunds(bench: Bench): Promise<Measured[]> {
  const service = await startChild(bench.running, import.meta.resolve('./service-refunds.ts'), {
    args: [bench.databaseUrl],
  });
  const bare = await startChild(bench.running, import.meta.resolve('./bare-refunds.ts'), { args: [bench.databaseUrl] });
  const figures: Measured[] = [];
  for (const { name, wallets } of [
    { name: '1 hot wallet', wallets: 1 },
    { name: '100 wallets', wallets: 100 },
  ]) {
    const merchantIds = await createWallets(bench, accounts, wallets);
    const refundBy = refundOf(bench, merchantIds);
    const contest = {
      name: `refunds from ${name}, ${inFlight} in flight`,
      about,
      against: 'the same statements by pg',
      target: 0.5,
      tillhook: ({ total }: Stint) => refundBy(service, total),
      baseline: ({ total }: Stint) => refundBy(bare, total),
    };
    figures.push(await compare(contest, bench));
  }
  await service.stop();
  await bare.stop();
  // If the refunds of this measurement stayed, the servers of later measurements would settle them.
  await resetWallets(bench, 'refund', accounts);
  return figures;
}

function refundOf(bench: Bench, merchantIds: string[]) {
  let payments = 0;
  return async (child: Child, total: number): Promise<Rate> => {
    if (total > payments) await createPayments(bench, merchantIds, { from: payments + 1, to: total });
    payments = Math.max(payments, total);
    return refund(bench, child, { merchantIds, total, inFlight });
  };
}

async function refund(bench: Bench, child: Child, work: WalletWork): Promise<Rate> {
  const { total } = work;
  await resetWallets(bench, 'refund', accounts);
  const cpu = startCpuMeter({ process: child.pid, postgres: bench.postgresPid });
  const { seconds } = await child.ask<{ seconds: number }>(work);
  const cpuMicros = cpu.microsPer(total);
  await assertRefundsMade(bench, total);
  return { perSecond: total / seconds, cpuMicros };
}

async function createPayments(
  { database }: Bench,
  merchantIds: string[],
  { from, to }: { from: number; to: number },
): Promise<void> {
  const payments = Array.from({ length: to - from + 1 }, (_, index) => {
    const number = from + index;
    return { id: newId(), merchant_id: merchantIds[number % merchantIds.length], reference: referenceOf(number) };
  });
  await database.query(
    `insert into payment
       (id, merchant_id, mode, reference, access_code, amount, currency, status, customer_email, metadata, attempts,
        expires_at, completed_at, created_at, updated_at)
     select id, merchant_id, 'test', reference, gen_random_uuid(), $2, 'NGN', 'completed', 'ada@example.com', '{}', 1,
       now() + interval '1 day', now(), now(), now()
     from json_to_recordset($1) as payment (id uuid, merchant_id uuid, reference text)`,
    [JSON.stringify(payments), 2 * amount],
  );
}

async function assertRefundsMade({ database }: Bench, total: number): Promise<void> {
  const { rows } = await database.query(
    `select (select count(*) from refund)::int as refunds, (select count(*) from ledger_entry)::int as entries,
       (select sum(balance) from ledger_account where kind = 'refund_reserved')::int as reserved,
       (select sum(amount_refunded) from payment)::int as refunded`,
  );
  const [made] = rows;
  const sum = total * amount;
  const isRight =
    made.refunds === total && made.entries === 2 * total && made.reserved === sum && made.refunded === sum;
  if (!isRight) throw new Error(`${total} refunds were requested, but these rows exist: ${JSON.stringify(made)}`);
}
