/** The length of the log lines that a caller can cause. */
import test from 'ava';
import { eventually } from '../support/eventually.ts';
import { startServer } from '../support/server/tillhook.ts';

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
