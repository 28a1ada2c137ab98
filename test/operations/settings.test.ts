import test from 'ava';
import { eventually } from '../support/eventually.ts';
import { chargeFee } from '../support/money/transfers.ts';
import { serverForFile, startServer } from '../support/server/tillhook.ts';
import { type SignedIn, signIn, userForFile } from '../support/users/session.ts';

const server = serverForFile();

test('getAccount 200 returns the merchant of the key and the permissions of the key', async (t) => {
  const { id, testKey } = await server().createMerchant('Ada and Sons');

  const response = await server().request('/api/v1/me', { key: testKey });

  t.is(response.status, 200);
  const account = await response.json();
  t.deepEqual(account, {
    merchant: { id, name: 'Ada and Sons', currency: 'NGN' },
    mode: 'test',
    key: {
      prefix: testKey.slice(0, 12),
      last4: testKey.slice(-4),
      scopes: null,
      expiresAt: null,
      lastUsedAt: null,
    },
  });
});

test('getAccount 200 returns when the key was used before this call, and never the time of this call', async (t) => {
  const { id, client } = await server().createMerchant();
  const lastUsedAt = async () => (await client.account.get()).key.lastUsedAt;
  const stored = async () =>
    (
      await server().database.query('select last_used_at from api_key where merchant_id = $1 and mode = $2', [
        id,
        'test',
      ])
    )[0]?.last_used_at;

  t.is(await lastUsedAt(), null);
  const first = await eventually(stored, (seen) => seen !== null);
  t.is(await lastUsedAt(), new Date(first as Date).toISOString());

  // The call returns the previous use of the key, although the call itself is stored as the last use.
  await server().database.query(`update api_key set last_used_at = '2026-01-02T03:04:05Z' where merchant_id = $1`, [
    id,
  ]);
  t.is(await lastUsedAt(), '2026-01-02T03:04:05.000Z');
});

test('getAccount 200 for a key with any scopes, and returns the scopes and the expiry of the key', async (t) => {
  const { id, liveKey } = await server().createMerchant();
  await server().database.query(
    `update api_key set scopes = '{products:read}', expires_at = '2999-01-01T00:00:00Z'
     where merchant_id = $1 and mode = 'live'`,
    [id],
  );

  const response = await server().request('/api/v1/me', { key: liveKey });

  const { mode, key } = await response.json();
  t.is(mode, 'live');
  t.like(key, { scopes: ['products:read'], expiresAt: '2999-01-01T00:00:00.000Z' });
});

test('getAccount 401 when the key is unknown', async (t) => {
  const { status } = await server().request('/api/v1/me', { key: 'sk_test_nobody' });

  t.is(status, 401);
});

const path = '/api/v1/dashboard/settings';

test('getSettings 200 returns the settings of the merchant, which are the same in test and live mode', async (t) => {
  const { call, merchant, session } = await signIn(server(), await server().createMerchant('Ada’s Books'));

  for (const mode of ['test', 'live'] as const) {
    const response = await call(path, { mode });

    t.is(response.status, 200);
    const { createdAt, ...settings } = await response.json();
    t.deepEqual(settings, {
      merchantId: merchant.id,
      name: 'Ada’s Books',
      currency: 'NGN',
      timeZone: 'UTC',
      transferFee: 0,
      logoUrl: null,
      colour: null,
      termsUrl: null,
      supportUrl: null,
      supportEmail: null,
      statementName: null,
      supportRefundLimit: null,
      sendReceipts: false,
      replyTo: null,
      mailDelivery: 'mail_server',
    });
    t.true(createdAt <= session.createdAt);
  }
});

test('getSettings 200 returns the current fee of a transfer', async (t) => {
  const { call, merchant } = await signIn(server());

  await chargeFee(server(), merchant, 25);

  t.is((await (await call(path)).json()).transferFee, 25);
});

const sharedUser = userForFile(server);

const settingsOf = async ({ call }: SignedIn) => (await call(path)).json();

const update = ({ call }: SignedIn, json: unknown) => call(path, { method: 'PATCH', json });

const preview = ({ call }: SignedIn, language: string) => call(`${path}/receipt-preview?language=${language}`);

test('previewReceipt 200 has the merchant’s brand and the language, before the merchant sends receipts', async (t) => {
  const ada = await signIn(server(), await server().createMerchant('Ada’s Books'));
  await update(ada, { colour: '#7a1fa2', supportEmail: 'help@shop.example' });

  const response = await preview(ada, 'de');

  t.is(response.status, 200);
  const { subject, url, expiresAt } = await response.json();
  t.is(subject, 'Ihr Beleg von Ada’s Books');
  t.true(Math.abs(Date.parse(expiresAt) - Date.now() - 10 * 60_000) < 60_000);
  const page = await fetch(url);
  t.is(page.status, 200);
  t.is(page.headers.get('cache-control'), 'no-store');
  const policy = page.headers.get('content-security-policy') ?? '';
  for (const part of ["default-src 'none'", "script-src 'none'", "frame-ancestors 'self'", 'sandbox'])
    t.true(policy.includes(part), part);
  const html = await page.text();
  for (const text of ['lang="de"', 'Ada’s Books', '#7a1fa2', 'help@shop.example', 'Espresso'])
    t.true(html.includes(text), text);
});

test('previewReceipt 200 is a receipt in English without a language, also for a viewer', async (t) => {
  const ada = await signIn(server(), await server().createMerchant('Ada’s Books'), 'viewer');

  const response = await ada.call(`${path}/receipt-preview`);

  t.is((await response.json()).subject, 'Your receipt from Ada’s Books');
});

test('previewReceipt 400 when mails have no such language', async (t) => {
  t.is((await preview(await sharedUser(), 'ja')).status, 400);
});

test('the URL of a preview is answered 404 when its token is missing or was changed', async (t) => {
  const { url } = await (await preview(await sharedUser(), 'en')).json();

  for (const wrong of [url.split('?')[0], `${url}&token=1`, url.slice(0, -8)]) t.is((await fetch(wrong)).status, 404);
});

test('updateSettings 200 changes the name and nothing else', async (t) => {
  const ada = await signIn(server());
  const before = await settingsOf(ada);

  const response = await update(ada, { name: 'Ada’s Bookshop' });

  t.is(response.status, 200);
  t.deepEqual(await response.json(), { ...before, name: 'Ada’s Bookshop' });
  t.deepEqual(await settingsOf(ada), { ...before, name: 'Ada’s Bookshop' });
});

test('updateSettings 200 shows the new name to customers, also in a checkout that was created before', async (t) => {
  const ada = await signIn(server(), await server().createMerchant('Ada’s Books'));
  const { data } = await ada.merchant.client.checkout.create({ email: 'grace@example.com', amount: 1 });
  const page = async () => (await fetch(data.checkoutUrl)).text();
  t.true((await page()).includes('Ada’s Books'));

  await update(ada, { name: 'Grace’s Bookshop' });

  t.true((await page()).includes('Grace’s Bookshop'));
  t.false((await page()).includes('Ada’s Books'));
});

test('updateSettings 200 shows the colour to customers', async (t) => {
  const ada = await signIn(server());
  const { data } = await ada.merchant.client.checkout.create({ email: 'grace@example.com', amount: 1 });
  const page = async () => (await fetch(data.checkoutUrl)).text();
  const plain = await page();

  const response = await update(ada, { colour: '#1F4FBF' });
  const branded = await page();
  const sheet = await fetch(`${server().url}/checkout/assets/accent-1f4fbf.css`);
  const style = await sheet.text();
  await update(ada, { colour: null });

  t.like(await response.json(), { logoUrl: null, colour: '#1f4fbf' });
  t.true(branded.includes('/checkout/assets/accent-1f4fbf.css'));
  t.is(sheet.headers.get('content-type'), 'text/css; charset=utf-8');
  t.true(style.includes('background: #1f4fbf;'));
  for (const html of [plain, await page()]) t.false(html.includes('accent-'));
  t.like(await settingsOf(ada), { colour: null });
});

test('updateSettings 404 for the style sheet of an invalid colour', async (t) => {
  for (const name of ['1f4fb', '1F4FBF', '1f4fbf0', 'zzzzzz', '%7D%7D%7D%7D']) {
    t.is((await fetch(`${server().url}/checkout/assets/accent-${name}.css`)).status, 404, name);
  }
});

for (const [situation, json, code, param, words] of [
  ['the colour is a name', { colour: 'red' }, 'invalid_parameter', 'colour', ''],
  ['the logo is a URL', { logoUrl: 'https://shop.example.com/a.png' }, 'unknown_parameter', 'logoUrl', ''],
] as const) {
  test(`updateSettings 400 when ${situation}`, async (t) => {
    const response = await update(await sharedUser(), json);

    t.is(response.status, 400);
    const { error, message } = await response.json();
    t.like(error, { code, param });
    t.true(message.includes(words), message);
  });
}

for (const colour of ['#777777', '#ffffff', '#000000', '#ffee00']) {
  test(`updateSettings 200 for ${colour}, because a colour is not refused for its contrast`, async (t) => {
    const response = await update(await signIn(server()), { colour });

    t.is(response.status, 200);
    t.is((await response.json()).colour, colour);
  });
}

test('updateSettings 200 shows the new name in test and live mode, to keys and to sessions', async (t) => {
  const ada = await signIn(server());

  await update(ada, { name: 'Ada & Daughters' });

  for (const key of [ada.merchant.testKey, ada.merchant.liveKey]) {
    t.is((await (await server().request('/api/v1/me', { key })).json()).merchant.name, 'Ada & Daughters');
  }
  t.is((await (await ada.call('/api/v1/dashboard/session')).json()).merchant.name, 'Ada & Daughters');
  t.is((await (await ada.call(path, { mode: 'live' })).json()).name, 'Ada & Daughters');
});

test('updateSettings 200 does not change the settings of other merchants', async (t) => {
  const [ada, other] = [await signIn(server()), await signIn(server())];
  const before = await settingsOf(other);

  await update(ada, { name: 'Ada’s Bookshop' });

  t.deepEqual(await settingsOf(other), before);
});

test('updateSettings 200 changes the time zone, for the whole merchant', async (t) => {
  const ada = await signIn(server());

  const response = await update(ada, { timeZone: 'Asia/Kathmandu' });

  t.is(response.status, 200);
  t.is((await response.json()).timeZone, 'Asia/Kathmandu');
  t.is((await (await ada.call(path, { mode: 'live' })).json()).timeZone, 'Asia/Kathmandu');
});

test('updateSettings 200 when the merchant already has the name', async (t) => {
  const ada = await signIn(server());
  const before = await settingsOf(ada);

  const response = await update(ada, { name: before.name });

  t.is(response.status, 200);
  t.deepEqual(await response.json(), before);
});

const links = {
  termsUrl: 'https://shop.example.com/terms',
  supportUrl: 'https://shop.example.com/help?from=pay&lang=en',
  supportEmail: 'help+pay@shop.example.com',
  statementName: 'ADAS BOOKS*SHOP-1.0',
};

test('updateSettings 200 stores the links and the statement name, and null removes them', async (t) => {
  const ada = await signIn(server());

  const response = await update(ada, links);
  const removed = await update(ada, { termsUrl: null, supportUrl: null, supportEmail: null, statementName: null });

  t.like(await response.json(), links);
  t.like(await removed.json(), { termsUrl: null, supportUrl: null, supportEmail: null, statementName: null });
});

for (const statementName of ['ABCDE', 'A234567890123456789012']) {
  test(`updateSettings 200 for the statement name ${statementName}`, async (t) => {
    t.is((await update(await signIn(server()), { statementName })).status, 200);
  });
}

for (const statementName of [
  'ABCD',
  'A2345678901234567890123',
  '12345',
  'ADAS BÜCHER',
  'ADAS BOOKS ',
  'ADA & CO',
  "ADA'S SHOP",
  '',
]) {
  test(`updateSettings 400 for the statement name "${statementName}"`, async (t) => {
    const response = await update(await sharedUser(), { statementName });

    t.is(response.status, 400);
    t.like((await response.json()).error, { code: 'invalid_parameter', param: 'statementName' });
  });
}

for (const [field, address, code] of [
  ['termsUrl', 'http://shop.example.com/terms', 'invalid_url'],
  ['termsUrl', 'javascript:alert(1)', 'invalid_url'],
  ['supportUrl', 'https://ada:secret@shop.example.com', 'invalid_url'],
  ['supportEmail', 'shop.example.com', 'invalid_parameter'],
  ['replyTo', 'shop.example.com', 'invalid_parameter'],
  ['replyTo', `${'a'.repeat(64)}@${'b.'.repeat(114)}example`, 'invalid_parameter'],
  ['replyTo', 'ada@shop.example.com\r\nBcc: eve@example.com', 'invalid_parameter'],
  ['replyTo', 'ada@shop.example.com, eve@example.com', 'invalid_parameter'],
  ['replyTo', '', 'invalid_parameter'],
] as const) {
  test(`updateSettings 400 for ${address} as ${field}`, async (t) => {
    const response = await update(await sharedUser(), { [field]: address });

    t.is(response.status, 400);
    t.like((await response.json()).error, { code, param: field });
  });
}

test('updateSettings 200 switches receipts on and off, with the address for replies', async (t) => {
  const ada = await signIn(server());

  const on = await update(ada, { sendReceipts: true, replyTo: 'help@müller.example' });
  const off = await update(ada, { sendReceipts: false, replyTo: null });

  t.like(await on.json(), { sendReceipts: true, replyTo: 'help@müller.example' });
  t.like(await off.json(), { sendReceipts: false, replyTo: null });
});

for (const [mailDelivery, env] of [
  ['mailbox', { SEED_DEMO: 'true' }],
  ['none', {}],
] as const) {
  test(`getSettings 200 says how mails are delivered: ${mailDelivery}`, async (t) => {
    const own = await startServer(t, { ROLE: 'api', ...env });

    t.is((await settingsOf(await signIn(own))).mailDelivery, mailDelivery);
  });
}

const refused: [situation: string, json: unknown, code: string, param: string | null][] = [
  ['the body has no field', {}, 'invalid_parameter', null],
  ['the name is null', { name: null }, 'invalid_parameter', 'name'],
  ['the name is empty', { name: '' }, 'invalid_parameter', 'name'],
  ['the name is blank', { name: ' \t' }, 'invalid_parameter', 'name'],
  ['the name is too long', { name: 'a'.repeat(121) }, 'invalid_parameter', 'name'],
  ['the name has a character that Postgres cannot store', { name: 'a\u0000' }, 'invalid_parameter', 'name'],
  ['the name has a control sequence for terminals', { name: 'a\u001b[2J' }, 'invalid_parameter', 'name'],
  ['the name has a character that turns the direction of text', { name: '\u202eevil' }, 'invalid_parameter', 'name'],
  ['the name has two lines', { name: 'a\nb' }, 'invalid_parameter', 'name'],
  ['the body has a currency', { currency: 'USD' }, 'unknown_parameter', 'currency'],
  ['the time zone is unknown', { timeZone: 'Africa/Atlantis' }, 'invalid_parameter', 'timeZone'],
  ['the time zone is null', { timeZone: null }, 'invalid_parameter', 'timeZone'],
  ['the time zone is an offset', { timeZone: '+01:00' }, 'invalid_parameter', 'timeZone'],
  ['the body has a fee', { name: 'Ada’s Bookshop', transferFee: 0 }, 'unknown_parameter', 'transferFee'],
];

test('updateSettings 400 has a message that says which names are valid', async (t) => {
  const response = await update(await sharedUser(), { name: 'a\tb' });

  t.is(
    (await response.json()).message,
    'name must be one line, not blank, without control characters and without characters that turn the direction of text',
  );
});

for (const [situation, json, code, param] of refused) {
  test(`updateSettings 400 when ${situation}`, async (t) => {
    const ada = await sharedUser();
    const before = await settingsOf(ada);

    const response = await update(ada, json);

    t.is(response.status, 400);
    t.like((await response.json()).error, { code, param });
    t.deepEqual(await settingsOf(ada), before);
  });
}
