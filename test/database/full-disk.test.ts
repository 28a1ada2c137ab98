/** A Postgres whose disk is full refuses every write with SQLSTATE 53100, and still reads. */
import test from 'ava';
import type { Database } from '../support/database/database.ts';
import { eventually } from '../support/eventually.ts';
import { payOnce, waitForDeliveries } from '../support/receivers/deliveries.ts';
import { startReceiver } from '../support/receivers/receiver.ts';
import { loggedErrors } from '../support/server/logged-errors.ts';
import { ownServerForFile, type TestServer } from '../support/server/tillhook.ts';

const server = ownServerForFile({ RATE_LIMITS: 'test:1000/10' });
const noSpace = 'could not extend file "base/5/16384": No space left on device';

async function fill(database: Database): Promise<void> {
  await database.query(`
    create or replace function refuse_write() returns trigger language plpgsql as $$
      begin raise exception using errcode = '53100', message = '${noSpace}', hint = 'Check free disk space.'; end $$;
    do $$ declare table_name text; begin
      for table_name in select oid::regclass::text from pg_class
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition loop
        execute format('create trigger full_disk before insert or update or delete on %s
          for each statement execute function refuse_write()', table_name);
      end loop;
    end $$`);
}

const makeRoom = (database: Database) => database.query('drop function refuse_write cascade');

const create = ({ request }: TestServer, key: string) =>
  request('/api/v1/payments/checkout', {
    key,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': 'order-1' },
    body: JSON.stringify({ email: 'ada@example.com', amount: 1 }),
  });

async function readyzOf({ url }: TestServer): Promise<{ status: number; checks: Record<string, boolean> }> {
  const response = await fetch(`${url}/readyz`);
  return { status: response.status, checks: ((await response.json()) as { checks: Record<string, boolean> }).checks };
}

test.serial(
  'while the disk of Postgres is full, calls that write are refused; afterwards nothing is missing or sent twice',
  async (t) => {
    const { database } = server();
    const errors = loggedErrors(server());
    const answer = Promise.withResolvers<{ status: number }>();
    const receiver = await startReceiver({ answer: () => answer.promise });
    t.teardown(() => receiver.stop());
    const { client, testKey } = await server().createMerchant();
    await client.webhookEndpoints.register({ url: receiver.url });
    const inFlight = await payOnce(client);
    await receiver.waitFor(1);
    // Makes the next call record the use of its API key again, which happens at most once a minute.
    await database.query('update api_key set last_used_at = null');

    await fill(database);
    answer.resolve({ status: 200 });
    const refused = await create(server(), testKey);

    await eventually(() => errors.filter((message) => message.includes('No space left on device')).length >= 2, true);
    t.is(refused.status, 503);
    t.is(refused.headers.get('retry-after'), '1');
    t.like((await refused.json()).error, { code: 'service_unavailable' });
    t.is((await client.payments.get(inFlight)).status, 'completed');
    t.is((await fetch(`${server().url}/healthz`)).status, 200);
    t.like(await readyzOf(server()), { status: 503, checks: { database: false } });
    t.is((await client.deliveries.list({ status: 'pending' })).total, 1);

    await makeRoom(database);
    t.like(await readyzOf(server()), { status: 200, checks: { database: true } });
    t.deepEqual(await database.query('select name from migration where length(name) > 100'), []);
    const made = await eventually(
      () => create(server(), testKey),
      ({ status }) => status === 201,
    );
    t.is((await (await create(server(), testKey)).json()).data.reference, (await made.json()).data.reference);
    t.is((await client.payments.list()).total, 2);
    await waitForDeliveries(client);
    t.is(receiver.deliveries.length, 1);
    await payOnce(client);
    await waitForDeliveries(client);
    t.is(receiver.deliveries.length, 2);
  },
);

test.serial(
  'a process whose database became a standby is not ready until the database accepts writes again',
  async (t) => {
    const { database } = server();
    const { testKey } = await server().createMerchant();
    t.is((await readyzOf(server())).status, 200);
    const setReadOnly = async (value: 'on' | 'off') => {
      await database.query(
        `do $$ begin execute format('alter database %I set default_transaction_read_only = ${value}', current_database()); end $$`,
      );
      // Open connections keep the setting with which they began.
      await database.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      );
    };

    await setReadOnly('on');
    // A probe can also fail because its connection was terminated. The pool has four, so five probes in a row must fail.
    await eventually(async () => {
      await create(server(), testKey);
      const looks: number[] = [];
      for (let look = 0; look < 5; look += 1) looks.push((await readyzOf(server())).status);
      return looks.every((status) => status === 503);
    }, true);
    t.like(await readyzOf(server()), { status: 503, checks: { database: false } });
    t.is((await fetch(`${server().url}/healthz`)).status, 200);

    await database.query('set default_transaction_read_only = off');
    await setReadOnly('off');
    await eventually(async () => (await readyzOf(server())).status, 200);
    await eventually(async () => (await create(server(), testKey)).status, 201);
  },
);
