import { randomBytes } from 'node:crypto';
import { Client, Pool } from 'pg';
import { findPostgres } from '../shared-fixtures.ts';

/** The migrated, empty database of which every test database is a copy. */
export const templateDatabase = 'tillhook_template';

export interface Database {
  url: string;
  /** Runs one statement and returns its rows. */
  query<Row = Record<string, unknown>>(sql: string, params?: unknown[]): Promise<Row[]>;
}

/** A database that only one test file or one test uses. */
export interface TestDatabase extends Database {
  drop(): Promise<void>;
}

/** Creates a database as a copy of the template. */
export async function createTestDatabase(): Promise<TestDatabase> {
  return createCopy(await findPostgres(), templateDatabase);
}

/** Creates a copy of a database whose server has stopped. Ends the connections of the test to that database. */
export async function copyDatabase({ url }: Database): Promise<TestDatabase> {
  const adminUrl = await findPostgres();
  const name = new URL(url).pathname.slice(1);
  await asAdmin(adminUrl.href, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
  return createCopy(adminUrl, name);
}

async function createCopy(adminUrl: URL, template: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  // The other strategy writes each page of the template to the log of Postgres, which takes half as long again.
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

/** Connects to a database that exists already. */
export function openTestDatabase(url: string): Database & { close(): Promise<void> } {
  const pool = new Pool({ connectionString: url, max: 2, idleTimeoutMillis: 0 });
  // No connection is closed for being idle, because it may hold a lock for a test. A test that stops Postgres breaks
  // them all.
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
