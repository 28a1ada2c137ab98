/** Pages of the origins in `CORS_ORIGINS` may call the API, without cookies. Pages of other origins may not. */
import test from 'ava';
import { serverForFile } from '../support/server/tillhook.ts';

const allowed = 'https://shop.example.com';
const servers = {
  two: serverForFile({ CORS_ORIGINS: `${allowed}, http://localhost:5173` }),
  all: serverForFile({ CORS_ORIGINS: '*' }),
  none: serverForFile(),
};

const asked = {
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'authorization,content-type',
};
const payments = '/api/v1/payments';

interface Case {
  server: keyof typeof servers;
  origin: string;
  /** The value of `Access-Control-Allow-Origin`. */
  allows: string | null;
  preflight: number;
}

const cases: Case[] = [
  { server: 'two', origin: allowed, allows: allowed, preflight: 204 },
  { server: 'two', origin: 'http://localhost:5173', allows: 'http://localhost:5173', preflight: 204 },
  { server: 'two', origin: 'https://evil.example.com', allows: null, preflight: 204 },
  { server: 'two', origin: `${allowed}.evil.example`, allows: null, preflight: 204 },
  { server: 'two', origin: 'null', allows: null, preflight: 204 },
  { server: 'all', origin: 'https://evil.example.com', allows: '*', preflight: 204 },
  { server: 'none', origin: allowed, allows: null, preflight: 405 },
];

for (const { server, origin, allows, preflight } of cases) {
  test(`${origin} is ${allows ? '' : 'not '}allowed to call the server with ${server} origins`, async (t) => {
    const { testKey } = await servers[server]().createMerchant();
    const ask = (path: string, init: { method?: string; headers: Record<string, string> }) =>
      servers[server]().request(path, init);

    const answers = [
      await ask(payments, { headers: { origin, authorization: `Bearer ${testKey}` } }),
      await ask(payments, { headers: { origin } }),
      await ask('/api/v1/nowhere', { headers: { origin } }),
      await ask(payments, { method: 'OPTIONS', headers: { origin, ...asked } }),
    ];

    t.deepEqual(
      answers.map(({ status }) => status),
      [200, 401, 404, preflight],
    );
    for (const { headers } of answers) {
      t.is(headers.get('access-control-allow-origin'), allows);
      t.is(headers.get('access-control-allow-credentials'), null);
      if (server === 'two') t.regex(headers.get('vary') ?? '', /\bOrigin\b/);
    }
    const [success, , , permission] = answers;
    t.is(
      permission?.headers.get('access-control-allow-headers') ?? null,
      server === 'none' ? null : 'authorization,content-type',
    );
    if (server === 'none') return;
    t.deepEqual(permission?.headers.get('access-control-allow-methods')?.split(',').sort(), [
      'DELETE',
      'GET',
      'HEAD',
      'PATCH',
      'POST',
    ]);
    t.true(success?.headers.get('access-control-expose-headers')?.split(',').includes('X-Request-Id'));
  });
}

test('405 for OPTIONS that asks no permission, and no other address than the API is opened', async (t) => {
  const headers = { origin: allowed };

  t.is((await servers.two().request(payments, { method: 'OPTIONS', headers })).status, 405);
  for (const path of ['/docs', '/dashboard', '/healthz']) {
    const answer = await servers.two().request(path, { headers });
    t.is(answer.headers.get('access-control-allow-origin'), null, path);
  }
});
