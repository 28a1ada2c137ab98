import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ContractError, readContractFrom } from '@tillhook/openapi';
import { loadConfig, startTillhook } from '@tillhook/server';
import { compileContract } from '@tillhook/server/src/api/contract.ts';
import { ConfigError } from '@tillhook/server/src/config/config.ts';
import { StartError } from '@tillhook/server/src/kit/errors.ts';
import { operations } from '@tillhook/server/src/start/operations.ts';
import test from 'ava';
import { createDataDir } from '../support/server/data-dir.ts';
import { testEnvironment } from '../support/server/environment.ts';
import { spawnTillhook } from '../support/server/process.ts';

const nowhere = 'postgres://nobody:hidden@127.0.0.1:1/none';

test('when its port is in use, a start prints one clear message and exits with 1', async (t) => {
  const holder = createServer().listen(0, '127.0.0.1');
  t.teardown(() => holder.close());
  await new Promise((listening) => holder.once('listening', listening));
  const { port } = holder.address() as { port: number };

  const { code, stderr, stdout } = await spawnTillhook(t, { ...testEnvironment(nowhere), PORT: String(port) }).ended;

  t.is(code, 1);
  t.is(stdout, '');
  t.is(stderr.trim(), `Port ${port} on 127.0.0.1 is in use. Set PORT to another, or to 0 for a free one.`);
});

test('when the database is unreachable, a start prints one clear message without the password', async (t) => {
  const starting = startTillhook(loadConfig(testEnvironment(nowhere)));

  const message = /^The database \(127\.0\.0\.1:1\/none\) cannot be used: (?!.*hidden)[^\n]+$/;
  await t.throwsAsync(starting, { instanceOf: StartError, message });
});

test('a start that fails after the embedded database was started stops the database again', async (t) => {
  const DATA_DIR = createDataDir(t);

  const { code, stderr } = await spawnTillhook(t, { DATA_DIR, MONGODB_URL: 'mongodb://127.0.0.1/?unheardOf=1' }).ended;

  t.is(code, 1);
  t.regex(stderr, /MONGODB_URL cannot be used/);
  t.true(existsSync(join(DATA_DIR, 'postgres', 'PG_VERSION')));
  t.false(existsSync(join(DATA_DIR, 'postgres', 'postmaster.pid')));
});

test('a start with wrong settings prints one message that lists every problem, and exits with 1', async (t) => {
  const env = { PORT: 'high', ROLE: 'boss', DELIVERY_RETRY_DELAYS_MS: '1,2,3,4', WEBHOOK_ALLOW_CIDRS: 'home' };

  const { code, stderr } = await spawnTillhook(t, env).ended;

  t.is(code, 1);
  t.regex(stderr, /^The environment is wrong:/);
  for (const name of Object.keys(env)) t.regex(stderr, new RegExp(`^  ${name}: `, 'm'));
  t.notRegex(stderr, /\.ts:\d+/);
});

test('settings of `.env` are used, environment variables override them even when they are empty, and an invalid line stops the start', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'env-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, '.env'), 'ROLE=boss\nPORT=high\nMETRICS_PORT=low\nLOG_LEVEL=silent\nMASTER_KEYS hidden\n');
  const env = { PORT: '0', METRICS_PORT: '' };

  const { code, stderr } = await spawnTillhook(t, env, { cwd: folder }).ended;

  t.is(code, 1);
  t.deepEqual(stderr.trimEnd().split('\n'), [
    'The environment is wrong:',
    '  .env, line 5: must be NAME=value, empty, or a comment that begins with #. Quotes around a value must be closed.',
    '  ROLE: must be all, api or worker, but is "boss"',
  ]);
});

test('a start with DATABASE_URL requires MASTER_KEYS', (t) => {
  const message = /MASTER_KEYS: required when DATABASE_URL is set/;
  t.throws(() => loadConfig({ ...testEnvironment(nowhere), MASTER_KEYS: '' }), { instanceOf: ConfigError, message });
});

const breakages: [name: string, find: string, replace: string, line: RegExp][] = [
  ['broken YAML', '  title: Tillhook', '  title: [Tillhook', /^openapi\.yaml:\d+: /],
  [
    'a $ref that leads nowhere',
    "schemas/CheckoutSession'}",
    "schemas/CheckoutSesion'}",
    /^contract\/payments\.yaml:\d+: nothing at #\/components\/schemas\/CheckoutSesion/,
  ],
  ['a pattern that does not compile', 'pattern: ^[A-Z]{3}$', 'pattern: ^[A-Z{3}$', /^contract\/shared\.yaml:\d+: /],
  [
    'a type that does not exist',
    'type: integer\n      format: int64\n      description: |\n        In the minor',
    'type: integr\n      format: int64\n      description: |\n        In the minor',
    /^contract\/shared\.yaml:\d+: /,
  ],
  [
    'credentials that nothing checks',
    '      security:\n        - bearerAuth: []\n      responses',
    '      security:\n        - bearerAuth: []\n          apiKeyHeader: []\n      responses',
    /^contract\/account\.yaml:\d+: getAccount requires bearerAuth,apiKeyHeader/,
  ],
];

for (const [name, find, replace, message] of breakages) {
  test(`a contract with ${name} stops the start with the file and line of the fault`, (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'contract-'));
    t.teardown(() => rmSync(folder, { recursive: true }));
    for (const part of ['openapi.yaml', 'contract']) {
      cpSync(fileURLToPath(new URL(part, import.meta.resolve('@tillhook/openapi'))), join(folder, part), {
        recursive: true,
      });
    }
    const files = [...readdirSync(join(folder, 'contract')).map((file) => `contract/${file}`), 'openapi.yaml'];
    const textOf = (file: string) => readFileSync(join(folder, file), 'utf8');
    const broken = files.find((file) => textOf(file).includes(find)) ?? '';
    writeFileSync(join(folder, broken), textOf(broken).replace(find, replace));

    const compile = () => compileContract(readContractFrom(join(folder, 'openapi.yaml')), operations);
    const { message: said } = t.throws(compile, { instanceOf: ContractError });

    t.regex(said, message);
    t.true(said.startsWith(`${broken}:`));
    const line = Number(/yaml:(\d+)/.exec(said)?.[1]);
    const before = textOf(broken)
      .split('\n')
      .slice(0, line + 4)
      .join('\n');
    t.true(before.includes(replace.split('\n')[0] ?? ''), `line ${line} is not near the fault`);
  });
}
