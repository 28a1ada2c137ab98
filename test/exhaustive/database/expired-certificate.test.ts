/** Tests that a start reports an expired certificate of Postgres, and that a running server waits for a valid one. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecureContext, TLSSocket } from 'node:tls';
import test, { type ExecutionContext } from 'ava';
import { eventually } from '../../support/eventually.ts';
import { type Certificate, createAuthority } from '../../support/network/certificates.ts';
import { reachThrough } from '../../support/network/cuttable-proxy.ts';
import { payOnce, waitForDeliveries } from '../../support/receivers/deliveries.ts';
import { startReceiver } from '../../support/receivers/receiver.ts';
import { testEnvironment } from '../../support/server/environment.ts';
import { loggedErrors } from '../../support/server/logged-errors.ts';
import { spawnTillhook } from '../../support/server/process.ts';
import { startOwnServer } from '../../support/server/tillhook.ts';
import { findPostgres } from '../../support/shared-fixtures.ts';

const authority = createAuthority();
const valid = authority.issue('127.0.0.1');
const expired = authority.issue('127.0.0.1', { isExpired: true });

/** The length of SSLRequest, the first message of a client that wants TLS. */
const requestBytes = 8;

/** This proxy speaks TLS as Postgres does, in front of a Postgres without TLS. */
async function startTls(t: ExecutionContext, target: URL) {
  let certificate: Certificate = valid;
  const open = new Set<{ destroy(): void }>();
  const server = createServer((plain) => {
    open.add(plain.on('error', () => {}));
    plain.once('readable', () => {
      plain.read(requestBytes);
      plain.write('S');
      const near = new TLSSocket(plain, { isServer: true, secureContext: createSecureContext(certificate) });
      const far = connect(Number(target.port), target.hostname);
      for (const socket of [near, far]) socket.on('error', () => socket.destroy());
      near.pipe(far).pipe(near);
      near.on('close', () => far.destroy());
    });
  });
  server.listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  const cut = () => {
    for (const socket of open) socket.destroy();
  };
  t.teardown(() => {
    cut();
    server.close();
  });
  const folder = mkdtempSync(join(tmpdir(), 'tls-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'authority.pem');
  writeFileSync(file, authority.cert);
  return {
    reach(url: string) {
      const reached = new URL(reachThrough((server.address() as AddressInfo).port)(url));
      reached.searchParams.set('sslmode', 'verify-full');
      reached.searchParams.set('sslrootcert', file);
      return reached.href;
    },
    use(next: Certificate) {
      certificate = next;
      cut();
    },
  };
}

test('a start with an expired certificate of Postgres gives one clear message, and exit 1', async (t) => {
  const target = await findPostgres();
  const tls = await startTls(t, target);
  tls.use(expired);

  const { code, stderr } = await spawnTillhook(t, testEnvironment(tls.reach(target.href))).ended;

  t.is(code, 1);
  t.regex(stderr.trim(), /^The database \(127\.0\.0\.1:\d+\/\w+\) cannot be used: certificate has expired$/);
});

test('while the certificate is expired, calls are answered with 503; with a valid certificate, nothing is lost or sent twice', async (t) => {
  const tls = await startTls(t, await findPostgres());
  const server = await startOwnServer(t, {}, tls.reach);
  const errors = loggedErrors(server);
  const answer = Promise.withResolvers<{ status: number }>();
  const receiver = await startReceiver({ answer: () => answer.promise });
  t.teardown(() => receiver.stop());
  const { client, testKey } = await server.createMerchant();
  await client.webhookEndpoints.register({ url: receiver.url });
  const list = () => server.request('/api/v1/payments', { key: testKey });
  await payOnce(client);
  await receiver.waitFor(1);

  tls.use(expired);
  answer.resolve({ status: 200 });
  const isRefused = () => errors.some((message) => message.includes('certificate has expired'));
  await eventually(async () => (await list()).status !== 200 && isRefused(), true);
  const refused = await list();
  t.is(refused.status, 503);
  t.is(refused.headers.get('retry-after'), '1');

  tls.use(valid);
  await eventually(async () => (await list()).status, 200);
  await waitForDeliveries(client);
  t.is(receiver.deliveries.length, 1);
});
