import { randomBytes } from 'node:crypto';
import { Client, Pool } from 'pg';

/** The migrated, empty database that every test's own is cloned from. */
export const templateDatabase = 'tillhook_template';

export interface TestDatabase {
  url: string;
  /** Runs one statement and returns its rows. */
  query<Row = Record<string, unknown>>(sql: string, params?: unknown[]): Promise<Row[]>;
  drop(): Promise<void>;
}

/** Clones the template. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const adminUrl = process.env.TEST_DATABASE_URL;
  if (!adminUrl) throw new Error('Run the tests with npm test: it starts the database that they need.');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asAdmin(adminUrl, `create database ${name} template ${templateDatabase}`);
  const url = new URL(adminUrl);
  url.pathname = name;
  const pool = new Pool({ connectionString: url.href, max: 2 });
  // A test that stops Postgres breaks these connections too.
  pool.on('error', () => {});
  return {
    url: url.href,
    query: async (sql, params) => (await pool.query(sql, params)).rows,
    drop: async () => {
      await pool.end().catch(() => {});
      await asAdmin(adminUrl, `drop database if exists ${name} with (force)`);
    },
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
