import { spawn } from 'node:child_process';
import { once } from 'node:events';
import test from 'ava';
import { eventually } from '../support/eventually.ts';
import { serverForFile } from '../support/server/tillhook.ts';
import { root } from './files.ts';

const server = serverForFile();

async function probe(port: string, ...args: string[]): Promise<{ code: number; printed: string }> {
  const child = spawn(process.execPath, [`${root}server/bin/probe.js`, ...args], { env: { PORT: port } });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  const [code] = await once(child, 'close');
  return { code, printed: printed.trim() };
}

test('the exit code of the probe is 0 for a 2xx response, and 1 for any other response or none', async (t) => {
  const { port } = new URL(server().url);

  // A server that has just started is ready only after the store of its job schedule has answered.
  await eventually(() => probe(port, '/readyz'), { code: 0, printed: '/readyz answers 200' });
  t.deepEqual(await probe(port), { code: 0, printed: '/healthz answers 200' });
  t.deepEqual(await probe(port, '/nowhere'), { code: 1, printed: '/nowhere answers 404' });
  t.like(await probe('9'), { code: 1 });
});
