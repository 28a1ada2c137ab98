import test from 'ava';
import { createTestDatabase } from '../support/database/database.ts';
import { testEnvironment } from '../support/server/environment.ts';
import { spawnTillhook } from '../support/server/process.ts';

const printed: [role: string, lines: (url: string) => string[]][] = [
  ['all', (url) => [`api ${url}`, `dashboard ${url}/dashboard`, `docs ${url}/docs`, 'ready']],
  // A worker serves only its probes.
  ['worker', (url) => [`api ${url}`, 'ready']],
];

for (const [role, lines] of printed) {
  test(`a process with ROLE=${role} prints the addresses of everything that it serves, and then that it is ready`, async (t) => {
    const database = await createTestDatabase();
    t.teardown(() => database.drop());
    const server = spawnTillhook(t, testEnvironment(database.url, { ROLE: role }));
    const url = await server.line('api ');
    await server.line('ready');

    server.kill('SIGTERM');
    const { code, stdout, stderr } = await server.ended;

    t.deepEqual([code, stderr], [0, '']);
    t.deepEqual(stdout.trimEnd().split('\n'), lines(url));
  });
}
