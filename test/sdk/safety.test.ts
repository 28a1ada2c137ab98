import { generateSecret, Tillhook, ValidationError } from '@tillhook/sdk';
import { TillhookSession } from '@tillhook/sdk/session';
import test from 'ava';
import { apiKey, emptyPage, serve } from './scripted-server.ts';

const payment = { status: 200, body: { reference: 'order-1042' } };

for (const reference of ['..', '.', '', undefined, null, 7, '\ud800']) {
  test(`${JSON.stringify(reference)} is refused as a path parameter and not sent`, async (t) => {
    const { seen, tillhook } = await serve(t, [payment]);

    const error = await t.throwsAsync(tillhook.payments.get(reference as string), { instanceOf: ValidationError });

    t.is(error?.param, 'reference');
    t.is(seen.length, 0);
  });
}

for (const [reference, segment] of [
  ['../merchant-webhooks', '..%2Fmerchant-webhooks'],
  ['a/b', 'a%2Fb'],
  ['a\\..\\b', 'a%5C..%5Cb'],
  ['%2e%2e', '%252e%252e'],
  ['a?limit=1#b', 'a%3Flimit%3D1%23b'],
  ['$&{reference}', '%24%26%7Breference%7D'],
  ['...', '...'],
] as const) {
  test(`${reference} stays one segment of the path`, async (t) => {
    const { seen, tillhook } = await serve(t, [payment]);

    await tillhook.payments.get(reference);

    t.is(seen[0]?.url, `/api/v1/payments/${segment}`);
  });
}

for (const status of [301, 302, 303, 307, 308]) {
  test(`a redirect with ${status} is not followed, so the key is not sent elsewhere`, async (t) => {
    const elsewhere = await serve(t, [emptyPage]);
    const location = `${elsewhere.baseUrl}/api/v1/payments`;
    const { seen, tillhook } = await serve(t, [{ status, headers: { location }, body: '' }]);

    const error = await t.throwsAsync(tillhook.payments.list());
    await t.throwsAsync(tillhook.checkout.create({ email: 'ada@example.com', amount: 1 }));

    t.true(error?.message.startsWith(`The server answered with a redirect to ${location}.`));
    t.like(error, { status });
    t.is(seen.length, 2);
    t.is(elsewhere.seen.length, 0);
  });
}

test('a custom fetch gets an address and plain options', async (t) => {
  const asked: { input: unknown; init: RequestInit | undefined }[] = [];
  const { seen, baseUrl, tillhook } = await serve(t, [{ status: 201, body: {} }], {
    fetch: (input, init) => {
      asked.push({ input, init });
      return fetch(input, init);
    },
  });

  await tillhook.checkout.create({ email: 'ada@example.com', amount: 1 });

  t.is(asked[0]?.input, `${baseUrl}/api/v1/payments/checkout`);
  t.like(asked[0]?.init, { method: 'POST', redirect: 'manual', body: '{"email":"ada@example.com","amount":1}' });
  t.is(seen.length, 1);
});

test('a live key is sent over https only, except to this machine', (t) => {
  const liveKey = 'sk_live_4eC39HqLyjWDarjtT1zdp7dc';
  const connect = (key: string, baseUrl: string) => () => new Tillhook(key, { baseUrl });

  for (const baseUrl of [
    'http://pay.example.com',
    'http://127.example.com',
    'http://10.0.0.1',
    'http://localhost.example',
  ]) {
    t.throws(connect(liveKey, baseUrl), { message: /https:\/\/ only/ });
    t.notThrows(connect(apiKey, baseUrl));
  }
  for (const baseUrl of [
    'https://pay.example.com',
    'http://localhost:3000',
    'http://127.0.0.1:3000',
    'http://[::1]:3000',
  ]) {
    t.notThrows(connect(liveKey, baseUrl));
  }
});

test('a wrong key or option is refused by the constructor, and the message does not contain the key', (t) => {
  const baseUrl = 'http://localhost:3000';
  for (const key of ['', 'sk_test_abc\n', 'sk_test_ abc', 'sk_test_é', undefined as unknown as string]) {
    const error = t.throws(() => new Tillhook(key, { baseUrl }), { instanceOf: TypeError });
    t.false(error?.message.includes('sk_test_'));
  }
  for (const wrong of [
    '',
    'localhost:3000',
    'ftp://a.example',
    'http://me:secret@a.example',
    'http://a.example/?b',
    'http://a.example/api/v1?b',
    'http://a.example/#b',
    7,
  ]) {
    t.throws(() => new Tillhook(apiKey, { baseUrl: wrong as string }), { message: /^baseUrl/ });
  }
  for (const timeoutMs of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
    t.throws(() => new Tillhook(apiKey, { baseUrl, timeoutMs }), { message: /^timeoutMs/ });
  }
  for (const maxRetries of [-1, 0.5, Number.NaN]) {
    t.throws(() => new Tillhook(apiKey, { baseUrl, maxRetries }), { message: /^maxRetries/ });
  }
  t.throws(() => new Tillhook(apiKey, undefined as never), { message: /^baseUrl/ });
});

for (const ending of ['', '/', '//', '?', '#', '/?#', '/api/v1', '/api/v1/', '/api/v1//', '//api/v1', '/api/v1/?']) {
  test(`baseUrl may end in ${JSON.stringify(ending)}, also where the service is below a path`, async (t) => {
    const { seen, baseUrl } = await serve(t, [emptyPage]);

    for (const place of [baseUrl, `${baseUrl}/pay`]) {
      const tillhook = new Tillhook(apiKey, { baseUrl: place + ending });
      await tillhook.payments.list();
      t.is(tillhook.baseUrl, place);
      await new TillhookSession({ mode: 'test', baseUrl: place + ending }).payments.list();
    }

    t.deepEqual(
      seen.map(({ url }) => url),
      ['/api/v1/payments', '/api/v1/payments', '/pay/api/v1/payments', '/pay/api/v1/payments'],
    );
  });
}

test('only a whole /api/v1 at the end of baseUrl is left out', (t) => {
  for (const baseUrl of ['http://a.example/my-api/v1', 'http://a.example/api/v1/pay', 'http://a.example/api/v2']) {
    t.is(new Tillhook(apiKey, { baseUrl }).baseUrl, baseUrl);
  }
  const below = new Tillhook(apiKey, { baseUrl: 'http://a.example/api/v1/api/v1' });
  t.is(below.baseUrl, 'http://a.example/api/v1', 'a server that is itself served below such a path');
});

test.serial('a browser is refused', (t) => {
  t.teardown(() => Reflect.deleteProperty(globalThis, 'window'));
  Reflect.set(globalThis, 'window', { document: {} });

  t.throws(() => new Tillhook(apiKey, { baseUrl: 'https://pay.example.com' }), { message: /browser/ });
});

test('generateSecret gives 24 random bytes as the server does', (t) => {
  t.regex(generateSecret(), /^whsec_[A-Za-z0-9+/]{32}$/);
  t.not(generateSecret(), generateSecret());
});
