import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readContract } from '@tillhook/openapi';
import test, { type ExecutionContext } from 'ava';
import { eventually } from '../support/eventually.ts';
import { payOnce } from '../support/receivers/deliveries.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile({});

async function programIn(language: string): Promise<string> {
  const guide = await (await fetch(`${server().url}/docs/following-events.md`)).text();
  return new RegExp(`^\`\`\`${language} \\w+\\n(.*?)^\`\`\`$`, 'ms').exec(guide)?.[1] ?? '';
}

test('the guide names the scope and the timeout of waiting calls, and explains that with a `to` in the past a call waits its whole time', async (t) => {
  const { client } = await server().createMerchant();
  const guide = await (await fetch(`${server().url}/docs/following-events.md`)).text();
  const startedAt = performance.now();

  const { events } = await client.events.list({ order: 'asc', to: '2020-01-01T00:00:00.000Z', wait: 1 });

  t.deepEqual(events, []);
  t.true(performance.now() - startedAt >= 990);
  t.regex(guide, /With a `to` in the past,[^.]* a call with `wait` waits for its whole time\./);
  t.true(guide.includes(`needs \`${readContract().model.operationById.get('listEvents')?.scope}\`.`));
  t.regex(guide, /time limit of your HTTP client for reading an answer must be longer than `wait`\./);
});

interface Program {
  start: () => ChildProcess;
  paid: () => Promise<string[]>;
}

async function checkEachOnce(t: ExecutionContext, { client }: Merchant, { start, paid }: Program): Promise<void> {
  const references = [await payOnce(client), await payOnce(client)];
  const isWrittenDown = () => eventually(paid, references);
  const first = start();
  await isWrittenDown();
  references.push(await payOnce(client));
  await isWrittenDown();
  first.kill('SIGKILL');
  await once(first, 'exit');
  references.push(await payOnce(client));
  const second = start();
  await isWrittenDown();
  t.deepEqual([second.exitCode, second.signalCode], [null, null]);
}

type Merchant = Awaited<ReturnType<ReturnType<typeof server>['createMerchant']>>;

function startProgram(t: ExecutionContext, command: string[], { env, input }: { env: object; input: string }) {
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    cwd: import.meta.dirname,
    env: { ...process.env, ...env },
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  child.stdin.end(input);
  return child;
}

test("the guide's program in TypeScript stores each payment once, even when it was killed", async (t) => {
  const merchant = await server().createMerchant();
  const { database } = server();
  await database.query('create schema shop');
  const env = {
    TILLHOOK_KEY: merchant.testKey,
    DATABASE_URL: `${database.url}?options=-c%20search_path%3Dshop`,
  };
  const input = await programIn('ts');
  const command = [process.execPath, '--conditions=@tillhook/source', '--input-type=module-typescript'];

  await checkEachOnce(t, merchant, {
    start: () => startProgram(t, command, { env, input }),
    paid: async () => {
      const rows = await database.query<{ reference: string }>('select reference from shop.paid order by ctid');
      return rows.map(({ reference }) => reference);
    },
  });
});

test("the guide's program in Python stores each payment once, even when it was killed", async (t) => {
  const merchant = await server().createMerchant();
  const folder = mkdtempSync(join(tmpdir(), 'tillhook-guide-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const env = { TILLHOOK_KEY: merchant.testKey, DATABASE_FILE: join(folder, 'shop.db') };
  const input = await programIn('python');

  await checkEachOnce(t, merchant, {
    start: () => startProgram(t, ['python3', '-'], { env, input }),
    paid: async () => {
      const shop = new DatabaseSync(env.DATABASE_FILE, { readOnly: true });
      try {
        return shop
          .prepare('select reference from paid order by rowid')
          .all()
          .map(({ reference }) => String(reference));
      } finally {
        shop.close();
      }
    },
  });
});
