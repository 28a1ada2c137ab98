import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import test from 'ava';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/network/free-port.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();
const readme = readFileSync(new URL('../../sdk/README.md', import.meta.url), 'utf8');
const program = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, block]) => block).join('\n');

test('the code blocks of the README form one program, which prints the output that the README shows', async (t) => {
  const { testKey } = await server().createMerchant();
  const placed = program
    .replaceAll('sk_test_…', testKey)
    .replaceAll('http://localhost:3000', server().url)
    .replaceAll('4000', String(await freePort()));
  t.is(placed.match(/…(?=')/), null, 'a placeholder was left');

  const child = spawn(process.execPath, ['--conditions=@tillhook/source', '--input-type=module-typescript'], {
    cwd: import.meta.dirname,
  });
  t.teardown(() => child.kill());
  const printed: string[] = [];
  for (const input of [child.stdout, child.stderr]) createInterface({ input }).on('line', (line) => printed.push(line));
  child.stdin.end(placed);
  const promised = [...program.matchAll(/\/\/=> (.+)$/gm)].map(([, line = '']) => line);
  await eventually(
    () => ({ printed, exitCode: child.exitCode }),
    (seen) => seen.printed.length >= promised.length || seen.exitCode !== null,
  );

  // The webhook may arrive at any time, so its line may be anywhere in the output.
  const isOfWebhook = (line: string) => line.startsWith('paid');
  const inOrder = (lines: string[]) => lines.filter((line) => !isOfWebhook(line));
  t.deepEqual(inOrder(printed), inOrder(promised));
  t.deepEqual(printed.filter(isOfWebhook), promised.filter(isOfWebhook));
  t.true(promised.length > 5);
});
