import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'pg';
import { createCluster, type InstalledCluster, type PostgresFolder, startCluster } from './installed-cluster.ts';

export interface Backup {
  name: string;
  settings: Record<string, string>;
  /** Whether the restored Postgres has a new system identifier, which shifts the feed positions of new events. */
  isOtherCluster: boolean;
  prepare(source: InstalledCluster): Promise<void>;
  /** The backup contains all transactions that committed before the call, and perhaps later transactions. */
  take(source: InstalledCluster): Promise<void>;
  restore(running: AsyncDisposableStack): Promise<InstalledCluster>;
}

const patienceMs = 60_000;

export function dumpIn(folder: PostgresFolder): Backup {
  const file = join(folder.home, 'tillhook.dump');
  return {
    name: 'a dump by pg_dump',
    settings: {},
    isOtherCluster: true,
    async prepare() {},
    take: ({ publicUrl }) => folder.run('pg_dump', '--format=custom', `--file=${file}`, `--dbname=${publicUrl}`),
    async restore(running) {
      await createCluster(folder, 'restored');
      const cluster = await startCluster(running, folder, { name: 'restored' });
      await folder.run('pg_restore', '--exit-on-error', `--dbname=${cluster.publicUrl}`, file);
      return cluster;
    },
  };
}

const moment = 'tillhook';

export function baseBackupIn(folder: PostgresFolder): Backup {
  const [archive, restored] = ['archive', 'restored'].map((name) => join(folder.home, name)) as [string, string];
  return {
    name: 'a base backup and its WAL',
    settings: {
      archive_mode: 'on',
      archive_command: `'mkdir -p ${archive} && cp %p ${archive}/%f'`,
    },
    isOtherCluster: false,
    prepare: ({ publicUrl }) =>
      folder.run(
        'pg_basebackup',
        `--pgdata=${restored}`,
        '--checkpoint=fast',
        '--wal-method=none',
        `--dbname=${publicUrl}`,
      ),
    async take({ url }) {
      const database = new Pool({ connectionString: url, max: 1 });
      await database.query('select pg_create_restore_point($1)', [moment]);
      const { rows } = await database.query('select pg_walfile_name(pg_switch_wal()) as name');
      await database.end();
      const isArchived = () => readdirSync(archive).includes(rows[0].name);
      for (const deadline = Date.now() + patienceMs; !isArchived(); await sleep(100))
        if (Date.now() > deadline)
          throw new Error('Postgres did not archive the WAL segment of the restore point in time.');
    },
    async restore(running) {
      const target = { recovery_target_name: moment, recovery_target_action: 'promote' };
      const settings = { restore_command: `'cp ${archive}/%f %p'`, ...target };
      folder.write(join(restored, 'recovery.signal'), '');
      const cluster = await startCluster(running, folder, { name: 'restored', settings });
      await waitUntilWritable(cluster);
      return cluster;
    },
  };
}

/** Until Postgres has reached the restore point, it accepts only reads. */
async function waitUntilWritable({ url }: InstalledCluster): Promise<void> {
  const database = new Pool({ connectionString: url, max: 1 });
  const isRecovering = async () => (await database.query('select pg_is_in_recovery() as is')).rows[0].is;
  for (const deadline = Date.now() + patienceMs; await isRecovering(); await sleep(100))
    if (Date.now() > deadline) throw new Error('The restored Postgres did not reach the restore point in time.');
  await database.end();
}
