/** A mock that has stopped leaves nothing behind: the process that it ran in ends at once, whatever was under way. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { startReceiver } from '@tillhook/mock/receiver';
import test from 'ava';

test('stops answers that wait', async (t) => {
  const { code, complaints, tookMs } = await runToItsEnd(`
    const calls = Array.from({ length: 12 }, () => fetch(mock.url + '/api/v1/transfers?__wait=30000').catch(() => null));
    setTimeout(() => mock.stop(), 500);
    await Promise.all(calls);`).ended;

  t.deepEqual([code, complaints], [0, '']);
  // Less than the answers would have waited.
  t.true(tookMs < 29_000, `${tookMs} ms`);
});

test('stops an event that nobody answers', async (t) => {
  const receiver = await startReceiver({ answer: () => 'hang' });
  t.teardown(() => receiver.stop());

  const running = runToItsEnd(`
    const headers = { 'Content-Type': 'application/json' };
    const body = JSON.stringify({ event: 'test.event', url: '${receiver.url}' });
    process.once('SIGUSR2', () => mock.stop());
    await fetch(mock.url + '/__mock/events', { method: 'POST', headers, body }).catch(() => null);`);
  await receiver.waitFor(1, 60_000);
  running.child.kill('SIGUSR2');
  const { code, complaints, tookMs } = await running.ended;

  t.is(receiver.deliveries.length, 1);
  t.deepEqual([code, complaints], [0, '']);
  // Less than one attempt takes.
  t.true(tookMs < 14_000, `${tookMs} ms`);
});

/** In another process. The time is taken from the moment when the mock runs. */
function runToItsEnd(script: string): { child: ChildProcess; ended: Promise<End> } {
  const start = `const mock = await (await import('@tillhook/mock/api')).startMock(); console.log('started');`;
  const child = spawn(
    process.execPath,
    ['--conditions=@tillhook/source', '--input-type=module', '--eval', `${start}${script}`],
    { cwd: new URL('.', import.meta.url), stdio: ['ignore', 'pipe', 'pipe'], timeout: 60_000 },
  );
  return { child, ended: endOf(child) };
}

interface End {
  code: number;
  complaints: string;
  tookMs: number;
}

async function endOf(child: ChildProcess): Promise<End> {
  const complaints = child.stderr ? text(child.stderr) : '';
  const ended = once(child, 'exit');
  if (child.stdout) await once(child.stdout, 'data');
  const startedAt = performance.now();
  const [code] = await ended;
  return { code, complaints: await complaints, tookMs: performance.now() - startedAt };
}
