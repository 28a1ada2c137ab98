import { type AddressInfo, createServer } from 'node:net';
import { reachDatabase } from '@tillhook/server/src/platform/database/connection/connections.ts';
import {
  isDatabaseAway,
  isTooSlow,
  isTransactionConflict,
} from '@tillhook/server/src/platform/database/connection/outage.ts';
import test from 'ava';

const failure = (code: string, message = 'It failed.') => Object.assign(new Error(message), { code });

const away: [what: string, error: unknown][] = [
  ['no server listens', failure('ECONNREFUSED')],
  ['it shuts down', failure('57P01')],
  ['its connections are used up', failure('53300')],
  ['its disk is full', failure('53100')],
  ['its certificate has expired', failure('CERT_HAS_EXPIRED')],
  ['its password was changed', failure('28P01')],
  ['a primary has become a standby', failure('25006')],
  ['the driver lost its connection', new Error('Connection terminated unexpectedly')],
  ['a transaction was idle for too long', failure('25P03')],
  ['an answer does not arrive', new Error('Query read timeout')],
  ['a connection is not opened in time', new Error('timeout expired')],
  ['no connection of the pool is free in time', new Error('timeout exceeded when trying to connect')],
  ['its connection was abandoned', new Error('Client was closed and is not queryable')],
  ['the ORM wraps its error', Object.assign(new Error('wrapped'), { previous: failure('57P01') })],
];

for (const [what, error] of away) {
  test(`the database counts as unavailable when ${what}`, (t) => {
    t.true(isDatabaseAway(error));
    t.false(isTransactionConflict(error));
    t.false(isTooSlow(error));
  });
}

for (const [what, code] of [
  ['a cancelled statement', '57014'],
  ['waiting for a lock', '55P03'],
  ['a violated constraint', '23505'],
  ['a deadlock', '40P01'],
] as const) {
  test(`the database does not count as unavailable after ${what}`, (t) => {
    t.false(isDatabaseAway(failure(code)));
    t.is(isTransactionConflict(failure(code)), code === '40P01');
    t.is(isTooSlow(failure(code)), ['57014', '55P03'].includes(code));
  });
}

test('a value that is not an error does not count as an outage of the database', (t) => {
  for (const nothing of [undefined, null, 'text']) {
    t.false(isDatabaseAway(nothing));
    t.false(isTransactionConflict(nothing));
  }
});

test('concurrent probes of a full disk share one connection, and the next probe opens another connection', async (t) => {
  let connections = 0;
  const fatalError = Buffer.from('E0000SFATAL\0C53100\0Mfull\0\0');
  fatalError.writeInt32BE(fatalError.length - 1, 1);
  const server = createServer((socket) => {
    connections += 1;
    socket.on('error', () => {}).once('data', () => socket.end(fatalError));
  }).listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await new Promise((listening) => server.once('listening', listening));
  const access = reachDatabase(`postgres://ada@127.0.0.1:${(server.address() as AddressInfo).port}/shop`);
  await t.throwsAsync(access.openClient().connect(), { message: 'full' });
  t.is(connections, 1);

  const answers = await Promise.all(Array.from({ length: 50 }, () => access.withLimits({}).canWrite()));

  t.deepEqual([...new Set(answers)], [false]);
  t.is(connections, 2);
  t.false(await access.canWrite());
  t.is(connections, 3);
});
