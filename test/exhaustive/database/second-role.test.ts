/** Tests that the password of the database can be changed as the guide describes: by a second role. */
import { randomBytes } from 'node:crypto';
import { loadConfig, startTillhook } from '@tillhook/server';
import { reachDatabase } from '@tillhook/server/src/platform/database/connection/connections.ts';
import { migrate } from '@tillhook/server/src/platform/database/schema/migrate.ts';
import { openOrm } from '@tillhook/server/src/start/orm.ts';
import test, { type ExecutionContext } from 'ava';
import { Client } from 'pg';
import { eventually } from '../../support/eventually.ts';
import { codeIn, databaseText, operationsText, sectionOf } from '../../support/ops/ops-files.ts';
import { testEnvironment } from '../../support/server/environment.ts';
import { findPostgres } from '../../support/shared-fixtures.ts';

const password = 'the password of a role';

async function query(url: string, ...statements: string[]): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    let rows: Record<string, unknown>[] = [];
    for (const statement of statements) ({ rows } = await client.query(statement));
    return rows;
  } finally {
    await client.end();
  }
}

async function migrateAs(url: string): Promise<void> {
  const orm = await openOrm(reachDatabase(url), 2);
  try {
    await migrate(orm);
  } finally {
    await orm.close();
  }
}

const statementsOf = (heading: string, role: string) =>
  codeIn(sectionOf(operationsText, heading), 'sql').join('').replaceAll('tillhook', role).replace('…', password);

async function createOwnedDatabase(t: ExecutionContext) {
  const admin = (await findPostgres()).href;
  const role = `role_${randomBytes(6).toString('hex')}`;
  // `create database` cannot be sent together with another statement.
  await query(admin, ...statementsOf('Deploy', role).trim().split('\n'));
  t.teardown(() =>
    query(
      admin,
      `drop database ${role} with (force)`,
      `drop role if exists ${role}_b`,
      `drop owned by ${role}`,
      `drop role ${role}`,
    ),
  );
  const addressOf = (user: string) => {
    const url = new URL(admin);
    Object.assign(url, { username: user, password, pathname: `/${role}` });
    return url.href;
  };
  return { admin, role, addressOf };
}

test('a second database role replaces the first role, and the tables that the roles create have the same owner', async (t) => {
  const { admin, role, addressOf } = await createOwnedDatabase(t);
  const [first, second] = [addressOf(role), addressOf(`${role}_b`)];
  await migrateAs(first);

  await query(admin, statementsOf('Change the password of the database', role));

  await migrateAs(second);
  const server = await startTillhook(loadConfig(testEnvironment(second)));
  t.teardown(() => server.stop());
  await query(admin, `alter role ${role} password 'another one'`);
  await t.throwsAsync(query(first, 'select 1'), { message: /password authentication failed/ });
  const answer = async () => (await fetch(new URL('/readyz', server.url))).json();
  await eventually(answer, { status: 'ready', checks: { database: true, schedule: true } });
  const rows = await query(
    second,
    'create table made_later ()',
    `select tableowner from pg_tables where schemaname = 'public' group by 1`,
  );
  t.deepEqual(rows, [{ tableowner: role }]);
});

test('the time limits of a role behind a pooler are the limits in the guide', async (t) => {
  const { admin, role, addressOf } = await createOwnedDatabase(t);
  const guide = codeIn(databaseText, 'sql').join('').replaceAll('tillhook', role);

  await query(admin, guide);

  const limits = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];
  const rows = await query(
    addressOf(role),
    `select name, setting from pg_settings where name in ('${limits.join("','")}')`,
  );
  t.deepEqual(Object.fromEntries(rows.map(({ name, setting }) => [name, setting])), {
    statement_timeout: '15000',
    lock_timeout: '7500',
    idle_in_transaction_session_timeout: '15000',
  });
});
