import { chmodSync } from 'node:fs';
import { reachDatabase } from '@tillhook/server/src/database/connections.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@tillhook/server/src/database/embedded.ts';
import { migrate } from '@tillhook/server/src/database/migrate.ts';
import { openOrm } from '@tillhook/server/src/orm.ts';
import { templateDatabase } from '../database/database.ts';
import { chosenPostgres } from './chosen-postgres.ts';

/** Starts the Postgres of a run in this folder, and migrates the template that each test file clones. */
export async function startPostgres(home: string): Promise<EmbeddedPostgres> {
  // As root, Postgres runs under another account, which must be able to get there.
  chmodSync(home, 0o755);
  const chosen = await chosenPostgres(home);
  // Every server of every file keeps its own connections, and what is written here need not outlive the machine.
  const postgres = await startEmbeddedPostgres(home, {
    settings: { max_connections: '1000', fsync: 'off', full_page_writes: 'off' },
    programs: chosen?.programs,
  });
  try {
    // Otherwise a run on another version could be green and prove nothing.
    await chosen?.assertIsServerOf(postgres.url);
    await migrateTemplate(postgres.url);
  } catch (error) {
    await postgres.stop();
    throw error;
  }
  return postgres;
}

async function migrateTemplate(postgresUrl: string): Promise<void> {
  const url = new URL(postgresUrl);
  const admin = await openOrm(reachDatabase(url.href), 2);
  await admin.em.fork().execute(`create database ${templateDatabase}`);
  await admin.close();
  url.pathname = templateDatabase;
  const template = await openOrm(reachDatabase(url.href), 2);
  await migrate(template);
  await template.close();
}
