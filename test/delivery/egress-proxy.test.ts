import tls from 'node:tls';
import { loadConfig } from '@tillhook/server';
import { createSender } from '@tillhook/server/src/wire/sender.ts';
import test, { type ExecutionContext } from 'ava';
import { createAuthority, selfSigned } from '../support/network/certificates.ts';
import { startConnectProxy } from '../support/network/connect-proxy.ts';
import { type NameServer, startNameServer } from '../support/network/name-server.ts';
import { answersOk, endlessBlankLines } from '../support/receivers/bad-answers.ts';
import { startRawReceiver } from '../support/receivers/raw-receiver.ts';
import { startReceiver } from '../support/receivers/receiver.ts';
import { startServer } from '../support/server/tillhook.ts';

const authority = createAuthority();
let nameServer: NameServer;

test.before(async () => {
  tls.setDefaultCACertificates([...tls.getCACertificates(), authority.cert]);
  nameServer = await startNameServer();
});

test.after.always(() => nameServer?.stop());

/** Loopback is allowed, because the receivers of these tests listen there. */
async function postThroughProxy(t: ExecutionContext, { credentials = '', timeoutMs = 3000 } = {}) {
  const proxy = await startConnectProxy(t);
  const sender = createSender(
    loadConfig({
      DELIVERY_PROXY_URL: `http://${credentials}127.0.0.1:${proxy.port}`,
      WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
      DELIVERY_CONNECT_TIMEOUT_MS: '2000',
      DELIVERY_TIMEOUT_MS: String(timeoutMs),
    }),
  );
  t.teardown(() => sender.destroy());
  const headers = ['content-type', 'application/json'];
  return { proxy, post: (url: string) => sender.post({ url, headers, body: Buffer.from('{}') }) };
}

test('a delivery reaches its receiver through the proxy, and is recorded like a delivery without a proxy', async (t) => {
  const proxy = await startConnectProxy(t);
  const receiver = await startReceiver();
  t.teardown(() => receiver.stop());
  const server = await startServer(t, { DELIVERY_PROXY_URL: `http://127.0.0.1:${proxy.port}` });
  const { client } = await server.createMerchant();
  const { id } = await client.webhookEndpoints.register({ url: receiver.url });

  const { data } = await client.webhookEndpoints.sendTest(id);

  t.like(data, { delivered: true, statusCode: 200, error: null, responseBody: 'ok' });
  t.is(receiver.deliveries[0]?.headers.host, new URL(receiver.url).host);
  t.deepEqual(proxy.tunnels, [{ target: new URL(receiver.url).host, authorization: undefined }]);
});

test('deliveries to one receiver reuse tunnels', async (t) => {
  const { proxy, post } = await postThroughProxy(t);
  const receiver = await startRawReceiver(t, answersOk);
  const url = `http://127.0.0.1:${receiver.port}/`;

  for (let n = 0; n < 6; n++) t.like(await post(url), { error: null, statusCode: 200 });

  // The agent may open a second tunnel while the first tunnel is still reading its answer, but never a third tunnel.
  t.true(proxy.tunnels.length <= 2, `${proxy.tunnels.length} tunnels`);
  t.is(receiver.requests, 6);
});

test('the TLS connection ends at the receiver and not at the proxy, and the receiver’s certificate must be valid', async (t) => {
  const { proxy, post } = await postThroughProxy(t);
  const good = await startRawReceiver(t, answersOk, authority.issue('127.0.0.1'));
  const bad = await startRawReceiver(t, answersOk, selfSigned('127.0.0.1'));

  t.like(await post(`https://127.0.0.1:${good.port}/`), { error: null, statusCode: 200 });
  t.like(await post(`https://127.0.0.1:${bad.port}/`), {
    error: 'tls_failed',
    errorCause: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    statusCode: null,
  });

  t.is(bad.requests, 0);
  t.is(proxy.tunnels.length, 2);
});

test('the proxy gets no request for a refused address or for a name that resolves to a refused address', async (t) => {
  const { proxy, post } = await postThroughProxy(t);
  nameServer.names.set('inside.test', ['8.8.8.8', '10.0.0.1']);

  for (const host of ['10.0.0.1', '[::1]', '169.254.169.254', '0x0a000001', 'inside.test']) {
    t.like(await post(`http://${host}/`), { error: 'address_refused', statusCode: null }, host);
  }

  t.deepEqual(proxy.tunnels, []);
});

test('a name that only the proxy can resolve is passed to the proxy', async (t) => {
  const { proxy, post } = await postThroughProxy(t);
  const receiver = await startRawReceiver(t, answersOk);
  proxy.names.set('outside.test', '127.0.0.1');

  t.like(await post(`http://outside.test:${receiver.port}/`), { error: null, statusCode: 200 });

  t.deepEqual(
    proxy.tunnels.map(({ target }) => target),
    [`outside.test:${receiver.port}`],
  );
});

test('the proxy gets the credentials in DELIVERY_PROXY_URL', async (t) => {
  const { proxy, post } = await postThroughProxy(t, { credentials: 'till:hook%21@' });
  const receiver = await startRawReceiver(t, answersOk);

  t.like(await post(`http://127.0.0.1:${receiver.port}/`), { error: null });

  t.is(proxy.tunnels[0]?.authorization, `Basic ${Buffer.from('till:hook!').toString('base64')}`);
});

test('if the proxy refuses, hangs or fails to connect, the attempt has a network error, and not an error of the receiver', async (t) => {
  // The receiver's time limit is far longer than the proxy's, so a hanging proxy is not taken for a slow receiver.
  const { proxy, post } = await postThroughProxy(t, { timeoutMs: 20_000 });

  t.like(await post('http://127.0.0.1:9/'), { error: 'network_error', statusCode: null });
  proxy.failure = 'forbid';
  t.like(await post('http://127.0.0.1:9/'), { error: 'network_error', statusCode: null });
  proxy.failure = 'hang';
  t.like(await post('http://127.0.0.1:9/'), { error: 'network_error', statusCode: null });
});

test('the limits of an answer also apply to an answer through a tunnel', async (t) => {
  const { post } = await postThroughProxy(t);
  const plain = await startRawReceiver(t, endlessBlankLines);
  const encrypted = await startRawReceiver(t, endlessBlankLines, authority.issue('127.0.0.1'));

  t.like(await post(`http://127.0.0.1:${plain.port}/`), { error: 'protocol_error' });
  t.like(await post(`https://127.0.0.1:${encrypted.port}/`), { error: 'protocol_error' });
});
