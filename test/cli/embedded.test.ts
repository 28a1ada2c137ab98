import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { spawnCommand } from '../support/server/command.ts';
import { createDataDir } from '../support/server/data-dir.ts';
import { spawnTillhook } from '../support/server/process.ts';

test('a command works on the embedded database of a running server, and on no other', async (t) => {
  const DATA_DIR = createDataDir(t);
  const server = spawnTillhook(t, { DATA_DIR });
  await server.line('ready');
  const api = await server.line('api ');

  const beside = await spawnCommand({ DATA_DIR }, 'keys', 'create', '--mode', 'test').ended;

  t.is(beside.code, 0, beside.stderr);
  const headers = { authorization: `Bearer ${beside.stdout.trim()}` };
  t.is((await fetch(`${api}/api/v1/payments`, { headers })).status, 200);
  t.is((await fetch(`${api}/readyz`)).status, 200);

  server.kill('SIGTERM');
  t.is((await server.ended).code, 0);
  const [alone, another] = await Promise.all([
    spawnCommand({ DATA_DIR }, 'keys', 'list', '--json').ended,
    spawnCommand({ DATA_DIR }, 'merchants', 'list', '--json').ended,
  ]);
  t.is(alone.code, 0, alone.stderr);
  t.is(another.code, 0, another.stderr);
  t.is(JSON.parse(alone.stdout).length, 2);
  t.like(JSON.parse(another.stdout), [{ name: 'Demo Store', status: 'active' }]);
  t.false(
    existsSync(join(DATA_DIR, 'postgres', 'postmaster.pid')),
    'the last command stops the Postgres that it has started',
  );
});

test('a command creates no database when there is none', async (t) => {
  const DATA_DIR = createDataDir(t);

  const { code, stderr } = await spawnCommand({ DATA_DIR }, 'keys', 'list').ended;

  t.is(code, 1);
  t.regex(stderr, /^The embedded database does not start: there is none in [^\n]+\n$/);
  t.deepEqual(readdirSync(DATA_DIR), []);
});
