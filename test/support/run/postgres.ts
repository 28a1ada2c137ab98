import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { reachDatabase } from '@tillhook/server/src/platform/database/connection/connections.ts';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '@tillhook/server/src/platform/database/embedded/embedded.ts';
import { migrate } from '@tillhook/server/src/platform/database/schema/migrate.ts';
import { openOrm } from '@tillhook/server/src/start/orm.ts';
import { templateDatabase } from '../database/database.ts';
import { chosenPostgres } from './chosen-postgres.ts';

/** Linux keeps the files of this folder in memory. */
const memory = '/dev/shm';
/** The minimum free memory in `/dev/shm` and on the machine: seven times the memory that a run uses. */
const enoughBytes = 3 * 2 ** 30;

/**
 * Postgres stores its files in memory if enough memory is free, and otherwise below `home`.
 * See docs/decisions/tests.md, "The Postgres of a run has its files in memory".
 */
export async function startPostgres(home: string): Promise<EmbeddedPostgres> {
  const chosen = await chosenPostgres(home);
  const folder = mkdtempSync(join(hasRoom() ? memory : home, 'tillhook-test-'));
  // If the tests run as root, Postgres runs under another account, which needs access to these folders.
  for (const path of [home, folder]) chmodSync(path, 0o755);
  const started = new AsyncDisposableStack();
  started.defer(() => rmSync(folder, { recursive: true, force: true }));
  try {
    // Many servers keep separate connections, and the data need not survive a crash of the machine.
    const postgres = await startEmbeddedPostgres(folder, {
      settings: { max_connections: '1000', fsync: 'off', full_page_writes: 'off', max_wal_size: '256MB' },
      programs: chosen?.programs,
    });
    started.defer(() => postgres.stop());
    // Without this check, a run could pass on a wrong version of Postgres.
    await chosen?.assertIsServerOf(postgres.url);
    await prepareDatabases(postgres.url);
    return { url: postgres.url, stop: () => started.disposeAsync() };
  } catch (error) {
    await started.disposeAsync();
    throw error;
  }
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize > enoughBytes && process.availableMemory() > enoughBytes;
  } catch {
    // Only Linux has `/dev/shm`.
    return false;
  }
}

async function prepareDatabases(postgresUrl: string): Promise<void> {
  const url = new URL(postgresUrl);
  const admin = await openOrm(reachDatabase(url.href), 2);
  await admin.em.transactional(async (em) => {
    // The password is random, so thousands of hash iterations protect nothing. Postgres 15 lacks `scram_iterations`.
    await em.execute(
      `select set_config('scram_iterations', '1', true) where current_setting('server_version_num')::int >= 160000`,
    );
    await em.execute(`alter role postgres password '${url.password}'`);
  });
  await admin.em.fork().execute(`create database ${templateDatabase}`);
  await admin.close();
  url.pathname = templateDatabase;
  const template = await openOrm(reachDatabase(url.href), 2);
  await migrate(template);
  await template.close();
}
