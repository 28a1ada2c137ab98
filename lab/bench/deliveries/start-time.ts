import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEmbeddedPostgres } from '@tillhook/server/src/platform/database/embedded/embedded.ts';
import { Client } from 'pg';
import { type Child, startReceiver } from '../../support/child.ts';
import { residentMiB } from '../../support/memory.ts';
import { queueWithoutWakeUp } from '../../support/queued-deliveries.ts';
import { type Bench, createSchema } from '../bench.ts';
import { figureOf, type Measured, type Round } from '../contest.ts';
import { registerAt } from './deliver.ts';

/** The time after which the memory of an idle process is measured. */
const idleMs = 10_000;

export async function measureStart(bench: Bench, waiting: number): Promise<Measured[]> {
  const receiver = await startReceiver(bench.running);
  const dataDir = createFolder(bench);
  await fill(bench, receiver, { dataDir, waiting });
  const rounds: Round[] = [];
  for (let round = 0; round <= bench.rounds; round += 1) {
    const startedAt = performance.now();
    const server = await bench.startServer('all', { DATABASE_URL: '', DATA_DIR: dataDir });
    const tillhook = (performance.now() - startedAt) / 1000;
    await server.stop();
    // In the first round, the file cache of the system is still cold.
    if (round > 0) rounds.push({ tillhook });
  }
  await receiver.stop();
  const described = {
    name: 'start to ready',
    about: `As npm start does, every role in one process with the embedded Postgres, which is started too. It holds ${waiting.toLocaleString('en')}
      deliveries, and goes on with those that still wait. Ready is when /readyz answers 200.`,
    unit: 's',
    target: { of: 'tillhook', atMost: 2 },
  } as const;
  return [figureOf(described, rounds), await measureIdle(bench, receiver)];
}

async function measureIdle(bench: Bench, receiver: Child): Promise<Measured> {
  const dataDir = createFolder(bench);
  await fill(bench, receiver, { dataDir, waiting: 0 });
  const rounds: Round[] = [];
  for (let round = 0; round < bench.rounds; round += 1) {
    const server = await bench.startServer('all', { DATABASE_URL: '', DATA_DIR: dataDir });
    await sleep(idleMs);
    rounds.push({ tillhook: residentMiB(server.pid) });
    await server.stop();
  }
  const described = {
    name: 'memory of an idle process',
    about: `As npm start does, every role in one process, ${idleMs / 1000} seconds after it was ready, when there was nothing to do. Without the
      processes of the embedded Postgres.`,
    unit: 'MiB',
    target: { of: 'tillhook', atMost: 160 },
  } as const;
  return figureOf(described, rounds);
}

function createFolder({ running }: Bench): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'tillhook-bench-start-'));
  chmodSync(dataDir, 0o755);
  running.defer(() => rmSync(dataDir, { recursive: true, force: true }));
  return dataDir;
}

async function fill(
  { sealer, running }: Bench,
  receiver: Child,
  { dataDir, waiting }: { dataDir: string; waiting: number },
): Promise<void> {
  const filling = running.use(new AsyncDisposableStack());
  const postgres = await startEmbeddedPostgres(dataDir);
  filling.defer(() => postgres.stop());
  await createSchema(postgres.url);
  const database = new Client({ connectionString: postgres.url });
  await database.connect();
  filling.defer(() => database.end());
  await queueWithoutWakeUp(database, await registerAt({ database, sealer }, receiver, 20), waiting);
  await filling.disposeAsync();
}
