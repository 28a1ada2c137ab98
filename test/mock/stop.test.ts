import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import test from 'ava';
import { startReceiver } from '../support/receivers/receiver.ts';

test('stopping the mock cancels delayed answers, requests that wait for an event, and a webhook whose receiver hangs', async (t) => {
  const receiver = await startReceiver({ answer: () => 'hang' });
  t.teardown(() => receiver.stop());

  const running = runToItsEnd(`
    const post = { method: 'POST', headers: { 'Content-Type': 'application/json' } };
    const body = JSON.stringify({ event: 'test.event', url: '${receiver.url}' });
    const headers = { Authorization: 'Bearer sk_test_mock' };
    const events = mock.url + '/api/v1/events?order=asc&from=2100-01-01T00:00:00Z&wait=25';
    process.once('SIGUSR2', () => setTimeout(() => mock.stop(), 500));
    const several = (call) => Array.from({ length: 12 }, () => call().catch(() => null));
    await Promise.all([
      ...several(() => fetch(mock.url + '/api/v1/transfers?__wait=30000')),
      ...several(() => fetch(events, { headers })),
      fetch(mock.url + '/__mock/events', { ...post, body }).catch(() => null),
    ]);`);
  await receiver.waitFor(1, 60_000);
  running.child.kill('SIGUSR2');
  const { code, complaints, tookMs } = await running.ended;

  t.is(receiver.deliveries.length, 1);
  t.deepEqual([code, complaints], [0, '']);
  // 14 seconds are less than the time limit of an attempt, and less than each wait.
  t.true(tookMs < 14_000, `${tookMs} ms`);
});

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
