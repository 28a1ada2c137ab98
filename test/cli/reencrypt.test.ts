import { randomBytes } from 'node:crypto';
import { createSealer } from '@tillhook/server/src/kit/seal.ts';
import { sealedColumns } from '@tillhook/server/src/start/sealed-columns.ts';
import test, { type ExecutionContext } from 'ava';
import { Client } from 'pg';
import { copyDatabase, createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { eventually } from '../support/eventually.ts';
import { recipient } from '../support/money/transfers.ts';
import { runTillhook, spawnCommand } from '../support/server/command.ts';
import { serverForFile, startServer, type TestServer } from '../support/server/tillhook.ts';

const oldKey = { id: 'old', key: randomBytes(32) };
const newKey = { id: 'new', key: randomBytes(32) };
const keysOf = (...keys: { id: string; key: Buffer }[]) =>
  keys.map(({ id, key }) => `${id}:${key.toString('base64')}`).join(',');

const sealing = {
  ROLE: 'api',
  MASTER_KEYS: keysOf(oldKey, newKey),
  // Mails are written, and no worker sends them.
  MAIL_URL: 'smtp://127.0.0.1:1',
  MAIL_FROM: 'pay@example.com',
};
const server = serverForFile(sealing);
let filled: Promise<void> | undefined;

async function copyFilled(t: ExecutionContext): Promise<TestDatabase> {
  filled ??= fill(server()).then(() => server().stop());
  await filled;
  const database = await copyDatabase(server().database);
  t.teardown(() => database.drop());
  return database;
}

async function withMerchant(t: ExecutionContext) {
  const database = await createTestDatabase();
  t.teardown(() => database.drop());
  const made = ['merchants', 'create', '--name', 'Ada', '--currency', 'NGN'];
  return { database, id: (await runTillhook({ DATABASE_URL: database.url }, ...made)).stdout.trim() };
}

const reencrypt = (database: TestDatabase, keys: string, ...more: string[]) =>
  runTillhook({ DATABASE_URL: database.url, MASTER_KEYS: keys }, 'secrets', 'reencrypt', ...more);

async function fill(server: TestServer): Promise<void> {
  const merchant = await server.createMerchant();
  const { webhookEndpoints, testHelpers, transfers } = merchant.client;
  const { id } = await webhookEndpoints.register({ url: 'https://example.com/a' }, { idempotencyKey: 'one' });
  await webhookEndpoints.register({ url: 'https://example.com/b' });
  await webhookEndpoints.rotateSecret(id, {});
  await webhookEndpoints.completeSecretRotation(id, {});
  await webhookEndpoints.rotateSecret(id, {});
  await testHelpers.fundWallet({ amount: 1000 });
  await transfers.create({ reference: 'payout-1', amount: 100, recipient: recipient('9876543210') });
  for (const email of ['ada@example.com', 'bob@example.com']) {
    const made = ['users', 'create', '--email', email, '--merchant', merchant.id];
    await runTillhook({ DATABASE_URL: server.database.url }, ...made);
  }
  await server.arrange('replacePassword', { email: 'ada@example.com', password: 'correct horse battery' });
  await server.arrange('turnTwoStepOn', { email: 'ada@example.com' });
  await server.arrange('beginTwoStep', { email: 'bob@example.com' });
}

async function sealedWith(database: TestDatabase, keyId: string): Promise<string[]> {
  const tables = await database.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const found = tables.map(
    ({ name }) => `
      select '${name} ' || (regexp_matches(row_to_json(each)::text, 'v1[.]${keyId}[.][A-Za-z0-9+/=]+', 'g'))[1] as place
      from "${name}" as each`,
  );
  return (await database.query<{ place: string }>(found.join(' union all '))).map(({ place }) => place);
}

async function opened(database: TestDatabase, keys: { id: string; key: Buffer }[]): Promise<string[]> {
  const sealer = createSealer(keys);
  const plain: string[] = [];
  for (const { table, column, owner, path } of sealedColumns) {
    const sealed = path ? `${column} #>> '{${path.join(',')}}'` : column;
    const rows = await database.query<{ owner: string; sealed: string }>(
      `select ${owner} as owner, ${sealed} as sealed from ${table} where ${sealed} is not null`,
    );
    plain.push(...rows.map((row) => `${table} ${row.owner} ${sealer.open(row.sealed, row.owner)}`));
  }
  return plain.sort();
}

test('reencrypt seals every kind of secret with the first key: the secrets keep their values and no longer need the old key', async (t) => {
  const database = await copyFilled(t);
  const before = await opened(database, [oldKey]);
  const kinds = sealedColumns.length;
  t.is((await sealedWith(database, 'old')).length, before.length);

  const counted = await reencrypt(database, keysOf(newKey, oldKey), '--dry-run');
  t.is(counted.code, 0, counted.stderr);
  t.is((await sealedWith(database, 'new')).length, 0);
  t.is(counted.stdout.match(/ old +\d+ +would be sealed again$/gm)?.length, kinds);
  t.is(counted.stderr, `Nothing was changed. ${before.length} secrets are not sealed with the key new.\n`);

  const { code, stdout, stderr } = await reencrypt(database, keysOf(newKey, oldKey));
  t.is(code, 0, stderr);
  t.is(stdout.match(/ new +\d+ +sealed with the first key$/gm)?.length, kinds);
  t.is(stderr, `${before.length} secrets were sealed again with the key new. No other key is needed any more.\n`);
  t.deepEqual(await sealedWith(database, 'old'), []);
  t.deepEqual(await opened(database, [newKey]), before);
  t.notRegex(stdout + stderr, /whsec_|9876543210/);

  const countedAgain = await reencrypt(database, keysOf(newKey, oldKey), '--dry-run');
  t.is(countedAgain.stderr, 'Nothing was changed. All secrets are sealed with the key new.\n');
  const again = await reencrypt(database, keysOf(newKey), '--json');
  t.like(JSON.parse(again.stdout), { sealedAgain: 0, left: 0, missingKeys: [], keyId: 'new' });
});

test('secrets that are created or changed while reencrypt runs are kept', async (t) => {
  const database = await copyFilled(t);
  const running = await startServer(t, { ...sealing, DATABASE_URL: database.url });
  const { client } = await running.createMerchant();
  const { id } = await client.webhookEndpoints.register({ url: 'https://example.com/b' });
  let isOver = false;
  let made = 0;
  const traffic = (async () => {
    while (!isOver) {
      await client.webhookEndpoints.rotateSecret(id, {});
      await client.webhookEndpoints.completeSecretRotation(id, {});
      await client.checkout.create({ email: 'ada@example.com', amount: 100 }, { idempotencyKey: `key-${made}` });
      made += 1;
    }
  })();
  await eventually(
    () => made,
    (count) => count > 0,
  );

  for (let round = 0; round < 3; round += 1) await reencrypt(database, keysOf(newKey, oldKey));
  isOver = true;
  await traffic;

  const before = await opened(database, [oldKey, newKey]);
  const { code, stderr } = await reencrypt(database, keysOf(newKey, oldKey));
  t.is(code, 0, stderr);
  t.deepEqual(await opened(database, [newKey]), before);
  t.is(before.filter((line) => line.startsWith('idempotency_key')).length >= made, true);
});

test('reencrypt names a secret whose key is missing, seals all other secrets with the new key, and exits with 1', async (t) => {
  const database = await copyFilled(t);
  const lost = createSealer([{ id: 'lost', key: randomBytes(32) }]);
  const [user] = await database.query<{ id: string }>(
    'select id from dashboard_user where two_step_secret is not null',
  );
  const id = user?.id ?? '';
  await database.query('update dashboard_user set two_step_secret = $2 where id = $1', [id, lost.seal('x', id)]);
  await database.query(`update transfer set sealed_account_number = 'v1.old.AAAA' where true`);

  const counted = await reencrypt(database, keysOf(newKey, oldKey), '--dry-run');
  const shown = await reencrypt(database, keysOf(newKey, oldKey));
  const { code, stderr, stdout } = await reencrypt(database, keysOf(newKey, oldKey), '--json');

  t.is(counted.code, 1);
  t.regex(counted.stderr, /^The key lost is missing: add it to MASTER_KEYS as lost:…, after the first one\.$/m);
  t.regex(counted.stderr, new RegExp(`^Not opened: dashboard_user.two_step_secret of ${id}, sealed with lost$`, 'm'));
  t.is(code, 1, stderr);
  const { left, unopened } = JSON.parse(stdout);
  t.is(left, 2);
  t.deepEqual(
    unopened.map((each: { table: string; keyId: string }) => `${each.table} ${each.keyId}`),
    ['transfer old', 'dashboard_user lost'],
  );
  t.deepEqual(
    (await sealedWith(database, 'old')).map((place) => place.split(' ')[0]),
    ['transfer'],
  );
  t.regex(shown.stderr, /2 secrets are not sealed with it\.\n/);
  t.regex(shown.stderr, /^A value that its own key does not open was changed/m);
  t.notRegex(shown.stderr, /run it again/, 'another run would not repair the changed value');
});

test('when many values cannot be decrypted, reencrypt names twenty of them and prints the number of all', async (t) => {
  const { database, id } = await withMerchant(t);
  await database.query(
    `insert into idempotency_key select $1, 'test', 'key-' || number, '\\x00', 'v1.old.AAAA', now()
     from generate_series(1, 450) as number`,
    [id],
  );

  const { code, stderr } = await reencrypt(database, keysOf(newKey, oldKey));

  t.is(code, 1);
  t.is(stderr.match(/^Not opened: idempotency_key\.response of /gm)?.length, 20);
  t.regex(stderr, /^Only 20 of 450 are named\.$/m);
});

test('reencrypt seals free rows while a transaction locks other rows, and seals the locked rows after the lock is released', async (t) => {
  const database = await copyFilled(t);
  const [{ id } = { id: '' }] = await database.query<{ id: string }>(
    `select id from webhook_endpoint where url = 'https://example.com/b'`,
  );
  const holder = new Client({ connectionString: database.url });
  await holder.connect();
  t.teardown(() => holder.end());
  await holder.query('begin');
  await holder.query('select id from webhook_endpoint where id <> $1 for update', [id]);

  const running = reencrypt(database, keysOf(newKey, oldKey));
  const ofFree = `select split_part(sealed_secret, '.', 2) as key from webhook_endpoint where id = $1`;
  await eventually(() => database.query(ofFree, [id]), [{ key: 'new' }]);
  t.true((await sealedWith(database, 'old')).some((place) => place.startsWith('webhook_endpoint ')));
  await holder.query('commit');

  t.is((await running).code, 0);
  t.deepEqual(await sealedWith(database, 'old'), []);
});

test('after reencrypt was killed in the middle, its next run seals the remaining secrets', async (t) => {
  const { database, id } = await withMerchant(t);
  const sealer = createSealer([oldKey]);
  const count = 6000;
  const keys = Array.from({ length: count }, (_, at) => `key-${at}`);
  await database.query(
    `insert into idempotency_key select $1, 'test', key, '\\x00', response, now()
     from unnest($2::text[], $3::text[]) as given (key, response)`,
    [id, keys, keys.map((key) => sealer.seal('{}', `${id}:test:${key}`))],
  );
  const done = async () => {
    const [row] = await database.query<{ count: number }>(
      `select count(*)::int as count from idempotency_key where response like 'v1.new.%'`,
    );
    return row?.count ?? 0;
  };
  const env = { DATABASE_URL: database.url, MASTER_KEYS: keysOf(newKey, oldKey) };
  const killed = spawnCommand(env, 'secrets', 'reencrypt');
  await eventually(done, (sealed) => sealed > 0);
  killed.kill();
  await killed.ended;
  const first = await done();
  t.true(first < count, 'the run was killed before it had ended');

  const { code, stderr } = await reencrypt(database, env.MASTER_KEYS);

  t.is(code, 0, stderr);
  t.regex(stderr, new RegExp(`^${count - first} secrets were sealed again`));
  t.is((await opened(database, [newKey])).length, count);
});
