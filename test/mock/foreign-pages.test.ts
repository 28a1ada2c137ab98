/** A page of another site may call the mock, but not choose where it posts, nor read the secrets of its endpoints. */
import './unobserved.ts';
import { request } from 'node:http';
import { startMock } from '@tillhook/mock/api';
import { startReceiver } from '@tillhook/mock/receiver';
import test from 'ava';

const mock = await startMock();
test.after.always(() => mock.stop());

const own = ['http://localhost:5173', 'https://shop.localhost', 'http://127.0.0.1', 'http://[::1]:8080'];
const foreign = ['https://evil.example', 'http://localhost.evil.example', 'http://127.0.0.1.evil.example:4010', 'null'];

async function call(method: string, path: string, { origin, body }: { origin?: string; body?: object } = {}) {
  const headers = {
    Authorization: 'Bearer sk_test_mock',
    'Content-Type': 'application/json',
    ...(origin && { Origin: origin }),
  };
  const answer = await fetch(`${mock.url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const read = (await answer.json()) as { id: string; url: string; error: { code: string } };
  return { status: answer.status, body: read };
}

for (const origin of foreign) {
  test(`a page of ${origin} registers no endpoint and gives none another address`, async (t) => {
    const receiver = await startReceiver();
    t.teardown(() => receiver.stop());
    const { body: endpoint } = await call('POST', '/api/v1/merchant-webhooks', { body: { url: receiver.url } });
    t.teardown(() => call('DELETE', `/api/v1/merchant-webhooks/${endpoint.id}`));
    const path = `/api/v1/merchant-webhooks/${endpoint.id}`;

    const registered = await call('POST', '/api/v1/merchant-webhooks', { origin, body: { url: `${receiver.url}/a` } });
    const moved = await call('PATCH', path, { origin, body: { url: `${receiver.url}/b` } });
    const paused = await call('PATCH', path, { origin, body: { isActive: false } });

    t.deepEqual([registered.status, moved.status, paused.status], [403, 403, 200]);
    t.is(registered.body.error.code, 'cross_site_request');
    t.is((await call('GET', path)).body.url, receiver.url);
  });
}

for (const origin of own) {
  test(`a page of ${origin} registers an endpoint and gives it another address`, async (t) => {
    const url = 'http://localhost:9/webhooks';
    const registered = await call('POST', '/api/v1/merchant-webhooks', { origin, body: { url } });
    const path = `/api/v1/merchant-webhooks/${registered.body.id}`;
    t.teardown(() => call('DELETE', path));

    t.is(registered.status, 201);
    t.is((await call('PATCH', path, { origin, body: { url: `${url}/other` } })).status, 200);
  });
}

/** With Node's own client, because `fetch` sets `Host` by itself. */
const statusFor = (host: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    request(`${mock.url}/__mock/endpoints`, { headers: { Host: host } }, (answer) =>
      resolve(answer.resume().statusCode),
    )
      .once('error', reject)
      .end();
  });

test('the secrets of endpoints are shown at the names of this machine only', async (t) => {
  const { port } = new URL(mock.url);

  for (const host of ['localhost', '127.0.0.1', '[::1]']) t.is(await statusFor(`${host}:${port}`), 200);
  for (const host of ['evil.example', 'localhost.evil.example']) t.is(await statusFor(`${host}:${port}`), 403);
});
