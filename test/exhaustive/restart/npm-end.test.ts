/** Tests that each of our long-running commands ends when npm is killed. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { eventually } from '../../support/eventually.ts';
import { freePort } from '../../support/network/free-port.ts';
import { createDataDir } from '../../support/server/data-dir.ts';
import { serverForFile } from '../../support/server/tillhook.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
const server = serverForFile();

const longScripts: Record<string, { env: (t: ExecutionContext) => Promise<Record<string, string>>; runs: string }> = {
  start: { env: serverSettings, runs: '\nready\n' },
  dev: { env: serverSettings, runs: '\nready\n' },
  mock: { env: async () => ({ MOCK_PORT: '0' }), runs: 'http://' },
  receiver: { env: async () => ({ RECEIVER_PORT: '0' }), runs: 'http://' },
  listen: {
    env: async () => {
      const { testKey } = await server().createMerchant();
      return { TILLHOOK_API_KEY: testKey, TILLHOOK_BASE_URL: server().url };
    },
    runs: 'Listening',
  },
  dashboard: { env: async () => ({}), runs: 'Local:' },
  'dashboard:mock': { env: async () => ({ DASHBOARD_MOCK_PORT: String(await freePort()) }), runs: 'sign in with' },
};

async function serverSettings(t: ExecutionContext): Promise<Record<string, string>> {
  return { PORT: '0', DATA_DIR: createDataDir(t), LOG_LEVEL: 'silent', NODE_ENV: 'test' };
}

test("these tests cover every script that is notified of npm's end, and no other script", (t) => {
  const told = Object.entries(scripts).filter(([, line]) => line.includes('--import=./server/bin/parent-end.js'));

  t.deepEqual(told.map(([name]) => name).toSorted(), Object.keys(longScripts).toSorted());
});

for (const [script, { env, runs }] of Object.entries(longScripts)) {
  // npm can forward SIGTERM, but not SIGKILL. `restart/npm-start.test.ts` kills `npm start`.
  for (const signal of script === 'listen' ? (['SIGTERM', 'SIGKILL'] as const) : (['SIGTERM'] as const)) {
    test.serial(`${signal} sent to npm ends "npm run ${script}" and every process that it has started`, async (t) => {
      t.timeout(300_000);
      const npm = spawnNpm(t, ['npm', 'run', script], await env(t));
      let printed = '';
      for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (part) => (printed += part));
      await eventually(
        () => printed,
        (text) => text.includes(runs),
      );
      const started = descendantsOf(npm.pid ?? 0);
      t.true(started.length > 0);

      npm.kill(signal);
      await once(npm, 'exit');

      t.deepEqual(await eventually(() => started.filter(isAlive), []), []);
    });
  }
}

/** The wait is long enough for the server to check its parent processes several times. */
const severalLooksMs = 2500;

test.serial('the server keeps running when the script that started npm has ended', async (t) => {
  // bash replaces itself by the server with `exec`, so npm is the server's parent and the script its grandparent.
  const command = ['sh', '-c', 'npm start --script-shell=bash & read -r wait_for_the_end'];
  const script = spawnNpm(t, command, await serverSettings(t));
  let printed = '';
  script.stdout.on('data', (part) => (printed += part));
  await eventually(
    () => printed,
    (text) => text.includes('\nready\n'),
  );
  const [, url = ''] = /^api (.*)$/m.exec(printed) ?? [];

  script.stdin.end();
  await once(script, 'exit');
  await sleep(severalLooksMs);

  t.is((await fetch(`${url}/healthz`)).status, 200);
});

function spawnNpm(
  t: ExecutionContext,
  [command = '', ...args]: readonly string[],
  env: Record<string, string>,
): ChildProcessWithoutNullStreams {
  const { PATH = '', HOME = '' } = process.env;
  // The server gets a new process group, so that a failed test can end the processes that npm leaves.
  const npm = spawn(command, args, { cwd: root, env: { PATH, HOME, ...env }, detached: true });
  t.teardown(() => {
    try {
      process.kill(-(npm.pid ?? 0), 'SIGKILL');
    } catch {
      // All processes of the group have already ended.
    }
  });
  return npm;
}

const isAlive = (pid: number) => existsSync(`/proc/${pid}/cwd`);

function descendantsOf(pid: number): number[] {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((child) => parentOf(child) === pid);
  return children.flatMap((child) => [child, ...descendantsOf(child)]);
}

function parentOf(pid: number): number {
  try {
    return Number(/.*\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]);
  } catch {
    return 0;
  }
}
