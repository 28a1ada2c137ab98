/** The log lines that a caller causes: their length, and that probes cause none. */
import test from 'ava';
import { eventually } from '../support/eventually.ts';
import { startServer } from '../support/server/tillhook.ts';

test('a probe that is answered well is no line of the log, and one that fails is', async (t) => {
  const server = await startServer(t);
  const lines: string[] = [];
  const { log } = server.context;
  const keep =
    (level: string) =>
    ({ path, status }: { path?: string; status?: number }) =>
      lines.push(`${level} ${path} ${status}`);
  Object.assign(log, { child: () => log, info: keep('info'), debug: keep('debug') });

  await server.request('/healthz');
  await server.request('/metrics');
  // 503 while the database or the schedule does not answer in time.
  const { status } = await server.request('/readyz');
  await server.request('/metrics/more');

  const ofReadiness = `${status === 200 ? 'debug' : 'info'} /readyz ${status}`;
  const expected = ['debug /healthz 200', 'debug /metrics 200', ofReadiness, 'info /metrics/more 404'];
  t.deepEqual(await eventually(() => lines, expected, 10_000).catch(() => lines), expected);
});

test('a URL of 15 KB does not cause a log line of 15 KB', async (t) => {
  const server = await startServer(t);
  const paths: unknown[] = [];
  const { log } = server.context;
  Object.assign(log, { child: () => log, info: ({ path }: { path?: unknown }) => paths.push(path) });

  await server.request(`/api/v1/${'a'.repeat(15_000)}`);
  await server.request('/api/v1/payments');

  // The server logs a request after it has sent the answer, so the client may get the answer first.
  const lengths = () => paths.map((path) => String(path).length);
  const expected = [512, '/api/v1/payments'.length];
  t.deepEqual(await eventually(lengths, expected, 10_000).catch(lengths), expected);
});
