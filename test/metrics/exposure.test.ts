import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { loadConfig, startTillhook } from '@tillhook/server';
import { StartError } from '@tillhook/server/src/kit/errors.ts';
import { isFromHere } from '@tillhook/server/src/telemetry/metrics/metrics.routes.ts';
import test from 'ava';
import { createTestDatabase } from '../support/database/database.ts';
import { proxyHeaders } from '../support/network/proxy-headers.ts';
import { testEnvironment } from '../support/server/environment.ts';
import { spawnTillhook } from '../support/server/process.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile({ TRUST_PROXY: 'loopback', HOST: '0.0.0.0' });

test('without METRICS_PORT, /metrics answers requests of this machine on the main port', async (t) => {
  const response = await fetch(`${server().url}/metrics`);

  t.is(response.status, 200);
  t.is(response.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
  t.regex(await response.text(), /^delivery_due_seconds 0$/m);
});

for (const header of proxyHeaders) {
  test(`/metrics answers 404 with the usual error body to a request with the proxy header ${header}`, async (t) => {
    const response = await fetch(`${server().url}/metrics`, { headers: { [header]: '127.0.0.1' } });

    t.is(response.status, 404);
    t.like(await response.json(), { success: false, error: { code: 'route_not_found' } });
  });
}

test('/metrics answers calls from another machine with 404 and the usual error body', async (t) => {
  const addresses = Object.values(networkInterfaces()).flat();
  const own = addresses.find((address) => address?.family === 'IPv4' && !address.internal);
  if (!own) return t.fail('This machine has only loopback addresses, so the test cannot act as another machine.');
  const { port } = new URL(server().url);

  const response = await fetch(`http://${own.address}:${port}/metrics`);

  t.is(response.status, 404);
  t.like(await response.json(), { error: { code: 'route_not_found' } });
  t.is((await fetch(`http://${own.address}:${port}/healthz`)).status, 200);
});

const peers: [remoteAddress: string | undefined, isHere: boolean][] = [
  ['127.0.0.1', true],
  ['127.9.9.9', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['::ffff:10.0.0.1', false],
  ['10.0.0.1', false],
  ['2001:db8::1', false],
  ['0.0.0.0', false],
  [undefined, false],
];

for (const [remoteAddress, isHere] of peers) {
  test(`a connection from ${remoteAddress} counts as ${isHere ? '' : 'not '}from this machine`, (t) => {
    t.is(isFromHere({ socket: { ...(remoteAddress && { remoteAddress }) }, headers: {} }), isHere);
  });
}

test('with METRICS_PORT, this port serves only /metrics, and the main port no longer serves /metrics', async (t) => {
  const database = await createTestDatabase();
  t.teardown(() => database.drop());
  const spawned = spawnTillhook(t, testEnvironment(database.url, { METRICS_PORT: '0' }));
  const url = await spawned.line('api ');
  const metricsUrl = await spawned.line('metrics ');
  await spawned.line('ready');

  const statuses = async (address: string) => (await fetch(address)).status;

  t.is(await statuses(metricsUrl), 200);
  t.is(await statuses(`${url}/metrics`), 404);
  t.is(await statuses(`${url}/healthz`), 200);
  t.is(await statuses(new URL('/healthz', metricsUrl).href), 404);
  t.not(new URL(metricsUrl).port, new URL(url).port);
  spawned.kill('SIGTERM');
  t.is((await spawned.ended).code, 0);
});

test('a worker serves only its probes and /metrics, and prints its address', async (t) => {
  const database = await createTestDatabase();
  t.teardown(() => database.drop());
  const worker = spawnTillhook(t, testEnvironment(database.url, { ROLE: 'worker' }));
  const url = await worker.line('api ');
  await worker.line('ready');

  const status = async (path: string) => (await fetch(`${url}${path}`)).status;

  t.is(await status('/healthz'), 200);
  t.is(await status('/metrics'), 200);
  t.is(await status('/docs'), 404);
  t.is(await status('/api/v1/me'), 404);
  worker.kill('SIGTERM');
  const { code, stdout, stderr } = await worker.ended;
  t.deepEqual([code, stderr, stdout], [0, '', `api ${url}\nready\n`]);
});

test('when METRICS_PORT is in use, the start ends with one clear message, before it connects to the database', async (t) => {
  const holder = createServer().listen(0, '127.0.0.1');
  t.teardown(() => holder.close());
  await once(holder, 'listening');
  const { port } = holder.address() as AddressInfo;
  const nowhere = 'postgres://nobody@127.0.0.1:1/none';

  const starting = startTillhook(loadConfig(testEnvironment(nowhere, { METRICS_PORT: String(port) })));

  const message = `Port ${port} on 127.0.0.1 is in use. Set METRICS_PORT to another, or to 0 for a free one.`;
  await t.throwsAsync(starting, { instanceOf: StartError, message });
});
