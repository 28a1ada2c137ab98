import { randomUUID } from 'node:crypto';
import { type Child, startChild } from '../../support/child.ts';
import { startCpuMeter } from '../../support/cpu.ts';
import { createTestKey } from '../../support/merchant.ts';
import type { Bench } from '../bench.ts';
import { compare, type Measured } from '../contest.ts';
import { callsInFlight, type Posted, postInTurn } from '../post-in-turn.ts';
import type { Rate, Stint } from '../rounds.ts';
import { amount, fee, type WalletWork } from './wallet-work.ts';
import { createWallets, resetWallets } from './wallets.ts';

const hot = { name: '1 hot wallet', wallets: 1 };
const many = { name: '100 wallets', wallets: 100 };
const accounts = ['transfer', 'transfer_reserved'] as const;
const against = 'the same statements by pg';
const inFlight = callsInFlight;

const about = `From the service down, with no HTTP, key, limits or validation. The other sends the same statements in the same
  transactions, prepared like ours and over as many connections: the ratio is what types, seals, the ORM and our own order
  cost.`;

export async function measureTransfers(bench: Bench): Promise<Measured[]> {
  const service = await startChild(bench.running, import.meta.resolve('./service-transfers.ts'), {
    args: [bench.databaseUrl],
  });
  const bare = await startChild(bench.running, import.meta.resolve('./bare-transfers.ts'), {
    args: [bench.databaseUrl],
  });
  const figures: Measured[] = [];
  for (const { name, wallets } of [hot, many]) {
    const work = { merchantIds: await createPayingWallets(bench, wallets), inFlight };
    const contest = {
      name: `transfers from ${name}, ${inFlight} in flight`,
      about,
      against,
      target: 0.5,
      tillhook: ({ total }: Stint) => transfer(bench, service, { ...work, total }),
      baseline: ({ total }: Stint) => transfer(bench, bare, { ...work, total }),
    };
    figures.push(await compare(contest, bench));
  }
  figures.push(await measureCalls(bench, bare));
  await service.stop();
  await bare.stop();
  // If the transfers of this measurement stayed, the servers of later measurements would settle them.
  await resetWallets(bench, 'transfer', accounts);
  return figures;
}

async function measureCalls(bench: Bench, bare: Child): Promise<Measured> {
  const work = { merchantIds: await createPayingWallets(bench, many.wallets), inFlight };
  const keys: string[] = [];
  for (const merchantId of work.merchantIds) keys.push(await createTestKey(bench.database, merchantId));
  const api = await bench.startServer('api');
  const contest = {
    name: `createTransfer over HTTP from ${many.name}, ${inFlight} in flight`,
    about: 'Over HTTP, each with a key, limits and validation, which the bare SQL has none of.',
    against,
    tillhook: ({ seconds }: Stint) => inEmptyTables(bench, api.pid, () => call(api.url, keys, seconds)),
    baseline: ({ total }: Stint) => transfer(bench, bare, { ...work, total }),
  };
  const figure = await compare(contest, bench);
  await api.stop();
  return figure;
}

function transfer(bench: Bench, child: Child, work: WalletWork): Promise<Rate> {
  return inEmptyTables(bench, child.pid, async () => {
    const { seconds } = await child.ask<{ seconds: number }>(work);
    return { calls: work.total, seconds };
  });
}

function call(url: string, keys: string[], seconds: number): Promise<Posted> {
  const recipient = { name: 'Grace Hopper', accountNumber: '0123456789', bankCode: '058' };
  return postInTurn(`${new URL(url).origin}/api/v1/transfers`, seconds, (index) => ({
    headers: { authorization: `Bearer ${keys[index % keys.length]}` },
    body: JSON.stringify({ reference: `payout-${randomUUID()}`, amount, recipient }),
  }));
}

async function inEmptyTables(bench: Bench, pid: number, run: () => Promise<Posted>): Promise<Rate> {
  await resetWallets(bench, 'transfer', accounts);
  const cpu = startCpuMeter({ process: pid, postgres: bench.postgresPid });
  const { calls, seconds } = await run();
  const cpuMicros = cpu.microsPer(calls);
  await assertTransfersMade(bench, calls);
  return { perSecond: calls / seconds, cpuMicros };
}

async function createPayingWallets(bench: Bench, count: number): Promise<string[]> {
  const merchantIds = await createWallets(bench, accounts, count);
  await bench.database.query('update merchant set transfer_fee = $2 where id = any($1)', [merchantIds, fee]);
  return merchantIds;
}

async function assertTransfersMade({ database }: Bench, total: number): Promise<void> {
  const { rows } = await database.query(
    `select (select count(*) from transfer)::int as transfers, (select count(*) from ledger_entry)::int as entries,
       (select sum(balance) from ledger_account where kind = 'transfer_reserved')::int as reserved`,
  );
  const [made] = rows;
  const isRight = made.transfers === total && made.entries === 4 * total && made.reserved === total * (amount + fee);
  if (!isRight) throw new Error(`${total} transfers were requested, but these rows exist: ${JSON.stringify(made)}`);
}
