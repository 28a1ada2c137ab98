/** One answer names every problem that can be found in the request alone, by the schema and by all other rules. */
import test from 'ava';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();

interface Wrong {
  /** By the key of which mode, test when omitted. */
  mode?: 'live';
  method?: string;
  path: string;
  body?: object;
  /** The path of each problem, and its rule. */
  problems: string[];
}

const nowhere = '/api/v1/merchant-webhooks/019aa3c4-9d1e-7c52-8f3a-1b2c3d4e5f60';

const wrong: Record<string, Wrong> = {
  'a checkout': {
    path: '/api/v1/payments/checkout',
    body: { amount: 0, callbackUrl: 'ftp://a', cancelUrl: 'https://a:b@c.co/', currency: 'XXQ', colour: 'red' },
    problems: [
      '/amount minimum',
      '/callbackUrl invalid_url',
      '/cancelUrl invalid_url',
      '/colour additionalProperties',
      '/currency unsupported_currency',
      '/email required',
    ],
  },
  'a live checkout, whose addresses must be https': {
    mode: 'live',
    path: '/api/v1/payments/checkout',
    body: { email: 'ada@example.com', amount: 1.5, callbackUrl: 'http://shop.example.com/', currency: 'XXQ' },
    problems: ['/amount type', '/callbackUrl invalid_url', '/currency unsupported_currency'],
  },
  'addresses and a currency alone': {
    path: '/api/v1/payments/checkout?size=xl',
    body: { email: 'ada@example.com', amount: 1, callbackUrl: 'ftp://a', cancelUrl: 'ftp://a', currency: 'XXQ' },
    problems: ['/callbackUrl invalid_url', '/cancelUrl invalid_url', '/currency unsupported_currency', '/size unknown'],
  },
  'an endpoint': {
    path: '/api/v1/merchant-webhooks',
    body: { url: 'https://example.com/#a', events: [] },
    problems: ['/events minItems', '/url invalid_url'],
  },
  'an endpoint in a private network': {
    path: '/api/v1/merchant-webhooks',
    body: { url: 'http://[::ffff:10.0.0.1]/', events: ['checkout.done'] },
    problems: ['/events/0 enum', '/url invalid_url'],
  },
  'the change of an endpoint': {
    method: 'PATCH',
    path: nowhere,
    body: { url: 'http://10.0.0.1/', isActive: 'yes' },
    problems: ['/isActive type', '/url invalid_url'],
  },
  'a product': {
    path: '/api/v1/storefront/products',
    body: { name: '', price: 0, imageUrl: 'javascript:alert(1)', currency: 'XXQ' },
    problems: ['/currency unsupported_currency', '/imageUrl invalid_url', '/name minLength', '/price minimum'],
  },
  'a query': {
    method: 'GET',
    path: '/api/v1/wallets/transfer/entries?currency=XXQ&limit=0&colour=red',
    problems: ['/colour unknown', '/currency unsupported_currency', '/limit minimum'],
  },
  'fields that break their schema and another rule, each of which is named once': {
    path: '/api/v1/payments/checkout',
    body: { email: 'ada@example.com', amount: 1, callbackUrl: 'a\0b', currency: 'ngn' },
    problems: ['/callbackUrl characters', '/callbackUrl format', '/currency pattern'],
  },
};

for (const [what, { mode, method = 'POST', path, body, problems }] of Object.entries(wrong)) {
  test(`names every problem of ${what}`, async (t) => {
    const { testKey, liveKey } = await server().createMerchant();
    const key = mode === 'live' ? liveKey : testKey;

    const response = await server().request(path, {
      method,
      headers: {
        'content-type': 'application/json',
        // `createCheckout` takes the key in this header too, and no other operation does.
        ...(path.includes('/checkout') ? { 'x-api-key': key } : { authorization: `Bearer ${key}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });

    t.is(response.status, 400);
    const { error } = await response.json();
    const found = error.details.map((detail: { path: string; code: string }) => `${detail.path} ${detail.code}`);
    t.deepEqual(found.sort(), problems);
  });
}
