import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@tillhook/test/support/eventually.ts';
import { Pool } from 'pg';
import { type Child, startChild } from '../../support/child.ts';
import { startCpuMeter } from '../../support/cpu.ts';
import { isNothingDue, removeAllDeliveries } from '../../support/queued-deliveries.ts';
import type { Bench } from '../bench.ts';
import { atSteadyPace } from '../steady-pace.ts';
import { timeReceipts } from './delivery-latency.ts';
import type { Acknowledged, Publishing, Recipient } from './publishing.ts';

export const perSecond = 200;

export interface Publisher {
  child: Child;
  recipients: Recipient[];
  processes: Record<string, number>;
  isHeard?: boolean;
}

export interface Paced {
  emptyCommits: number[];
  /** The times from the acknowledged commit to the receipt, in milliseconds. */
  sinceAcknowledged: number[];
  /** The times from the commit record to the receipt, which include Postgres's wait for the disk. */
  sinceRecorded: number[];
  cpuMicros: Record<string, number>;
}

export async function startPublisher({ env, home, running }: Bench, role: 'api' | 'all'): Promise<Child> {
  const log = openSync(join(home, `publisher-${role}.log`), 'w');
  // With a separate worker, the publisher sends no delivery itself.
  const DELIVERY_DIRECT = role === 'all' ? 'on' : 'off';
  const args = [JSON.stringify({ ...env, ROLE: role, DELIVERY_DIRECT, PORT: '0' })];
  const child = await startChild(running, import.meta.resolve('./publisher.ts'), { args, log });
  closeSync(log);
  return child;
}

export async function publishAtPace(
  { database, databaseUrl, postgresPid }: Bench,
  receiver: Child,
  { publisher, seconds }: { publisher: Publisher; seconds: number },
): Promise<Paced> {
  const { child, recipients, processes, isHeard = true } = publisher;
  const total = perSecond * seconds;
  await removeAllDeliveries(database);
  const emptyCommits = await timeEmptyCommits(databaseUrl);
  const acknowledged = new Map<string, number>();
  const cpu = startCpuMeter({ ...processes, postgres: postgresPid });
  const queue = async () => {
    const publishing: Publishing = { recipients, total, perSecond };
    for (const [reference, at] of await child.ask<Acknowledged[]>(publishing)) acknowledged.set(reference, at);
  };
  const receipts = isHeard ? await timeReceipts({ database, receiver, expected: total, queue }) : [];
  if (!isHeard) await queue();
  await eventually(() => isNothingDue(database), true);
  const cpuMicros = cpu.microsPer(total);
  return {
    emptyCommits,
    sinceAcknowledged: receipts.map(
      ({ reference, receivedAt }) => receivedAt - (acknowledged.get(reference) ?? Number.NaN),
    ),
    sinceRecorded: receipts.map(({ recordedAt, receivedAt }) => receivedAt - recordedAt),
    cpuMicros,
  };
}

/** Each commit writes a message to the WAL, because Postgres waits for the disk only after a commit that wrote WAL. */
async function timeEmptyCommits(databaseUrl: string): Promise<number[]> {
  const pool = new Pool({ connectionString: databaseUrl, max: 4 });
  const times: number[] = [];
  const begin = async () => {
    const startMs = performance.now();
    await pool.query({ name: 'empty', text: `select pg_logical_emit_message(true, 'bench', '')` });
    times.push(performance.now() - startMs);
  };
  await atSteadyPace({ total: perSecond, perSecond, begin });
  await pool.end();
  return times;
}
