import { randomBytes } from 'node:crypto';
import { Client, Pool } from 'pg';
import { findPostgres } from '../shared-fixtures.ts';

/** The test databases are copied from this migrated, empty database. */
export const templateDatabase = 'tillhook_template';

export interface Database {
  url: string;
  query<Row = Record<string, unknown>>(sql: string, params?: unknown[]): Promise<Row[]>;
}

export interface TestDatabase extends Database {
  drop(): Promise<void>;
}

export async function createTestDatabase(): Promise<TestDatabase> {
  return createCopy(await findPostgres(), templateDatabase);
}

/** Postgres copies only a database without connections, so all other connections to the database are closed. */
export async function copyDatabase({ url }: Database): Promise<TestDatabase> {
  const adminUrl = await findPostgres();
  const name = new URL(url).pathname.slice(1);
  await asAdmin(adminUrl.href, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
  return createCopy(adminUrl, name);
}

async function createCopy(adminUrl: URL, template: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  // With the strategy `wal_log`, Postgres writes each page of the template to the WAL, and the copy takes 50% longer.
  await asAdmin(adminUrl.href, `create database ${name} template ${template} strategy file_copy`);
  const url = new URL(adminUrl);
  url.pathname = name;
  const database = openTestDatabase(url.href);
  return {
    ...database,
    drop: async () => {
      await database.close();
      await asAdmin(adminUrl.href, `drop database if exists ${name} with (force)`);
    },
  };
}

export function openTestDatabase(url: string): Database & { close(): Promise<void> } {
  const pool = new Pool({ connectionString: url, max: 2, idleTimeoutMillis: 0 });
  // Idle connections stay open, because a connection may hold a lock for a test. When a test stops Postgres, the pool
  // emits an error, which is ignored.
  pool.on('error', () => {});
  return {
    url,
    query: async (sql, params) => (await pool.query(sql, params)).rows,
    close: () => pool.end().catch(() => {}),
  };
}

async function asAdmin(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
