/** What anybody can have written into the log. */
import test from 'ava';
import { startServer } from '../support/tillhook.ts';

test('an address of 15 KB does not make a log line of 15 KB', async (t) => {
  const server = await startServer(t);
  const paths: unknown[] = [];
  const log = Object.assign(Object.create(server.context.log), {
    child: () => log,
    info: ({ path }: { path?: unknown }) => paths.push(path),
  });
  server.context.log = log;

  await server.request(`/api/v1/${'a'.repeat(15_000)}`);
  await server.request('/api/v1/payments');

  t.deepEqual(
    paths.map((path) => String(path).length),
    [512, '/api/v1/payments'.length],
  );
});
