import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import type { Check } from './checks.ts';
import { nodes } from './pins.ts';
import { freePort, run, type Service, start } from './processes.ts';
import type { Projects } from './projects.ts';

export interface RunningMock extends Service {
  url: string;
}

export async function startPackedMock({ consumer }: Projects, program = process.execPath): Promise<RunningMock> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const command = {
    command: program,
    args: [join(consumer, 'node_modules/.bin/tillhook-mock')],
    cwd: consumer,
    env: { MOCK_PORT: String(port) },
  };
  return { url, ...(await start(command, url)) };
}

export function runtimeChecks(projects: Projects, mock: Promise<RunningMock>): Check[] {
  const { consumer, tools } = projects;
  const installed = Object.entries(nodes).map(([name, version]) => ({
    version,
    program: join(tools, 'node_modules', name, 'bin/node'),
  }));
  const all = [...installed, { version: process.versions.node, program: process.execPath }];
  return [
    {
      title: `tillhook-mock starts and answers on Node ${process.versions.node}`,
      run: async () => callByHand(await mock),
    },
    ...installed.map(({ version, program }) => ({
      title: `tillhook-mock starts and answers on Node ${version}`,
      run: async () => {
        const own = await startPackedMock(projects, program);
        await callByHand(own).finally(() => own.stop());
      },
    })),
    ...all.map(({ version, program }) => ({
      title: `the developer's commands run on Node ${version}`,
      run: async () => listByCommand({ consumer, program, url: (await mock).url }),
    })),
    ...all.map(({ version, program }) => ({
      title: `Node ${version} imports and requires the SDK, calls the mock and verifies a webhook`,
      run: async () => {
        const { url } = await mock;
        await run({ command: program, args: [await writeScript(consumer), url], cwd: consumer });
      },
    })),
  ];
}

async function listByCommand({ consumer, program, url }: { consumer: string; program: string; url: string }) {
  const env = { TILLHOOK_API_KEY: 'sk_test_mock', TILLHOOK_BASE_URL: url };
  const args = [join(consumer, 'node_modules/.bin/mock'), 'events', '--limit', '3', '--json'];
  const listed = await run({ command: program, args, cwd: consumer, env });
  assert.equal(JSON.parse(listed).length, 3);
}

async function callByHand({ url, output }: RunningMock): Promise<void> {
  const answer = await fetch(`${url}/api/v1/transfers`, { headers: { authorization: 'Bearer sk_test_mock' } });
  assert.equal(answer.status, 200);
  assert.ok(output().includes(url), 'The command printed no address.');
}

/** Writes the sample as JavaScript, because Node 20 cannot strip types. */
export async function writeScript(directory: string): Promise<string> {
  const source = await readFile(new URL('./samples/use-sdk.ts', import.meta.url), 'utf8');
  const script = join(directory, 'use-sdk.mjs');
  await writeFile(script, stripTypeScriptTypes(source));
  return script;
}
