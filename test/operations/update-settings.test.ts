import test from 'ava';
import { serverForFile } from '../support/server/tillhook.ts';
import { type SignedIn, signIn, userForFile } from '../support/users/session.ts';

const server = serverForFile();
const sharedUser = userForFile(server);
const path = '/api/v1/dashboard/settings';

const settingsOf = async ({ call }: SignedIn) => (await call(path)).json();

const update = ({ call }: SignedIn, json: unknown) => call(path, { method: 'PATCH', json });

test('200 changes the name and nothing else', async (t) => {
  const ada = await signIn(server());
  const before = await settingsOf(ada);

  const response = await update(ada, { name: 'Ada’s Bookshop' });

  t.is(response.status, 200);
  t.deepEqual(await response.json(), { ...before, name: 'Ada’s Bookshop' });
  t.deepEqual(await settingsOf(ada), { ...before, name: 'Ada’s Bookshop' });
});

test('200 shows the new name to customers, also in a checkout that was created before', async (t) => {
  const ada = await signIn(server(), await server().createMerchant('Ada’s Books'));
  const { data } = await ada.merchant.client.checkout.create({ email: 'grace@example.com', amount: 1 });
  const page = async () => (await fetch(data.checkoutUrl)).text();
  t.true((await page()).includes('Ada’s Books'));

  await update(ada, { name: 'Grace’s Bookshop' });

  t.true((await page()).includes('Grace’s Bookshop'));
  t.false((await page()).includes('Ada’s Books'));
});

test('200 shows the colour to customers', async (t) => {
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

test('404 for the style sheet of an invalid colour', async (t) => {
  for (const name of ['1f4fb', '1F4FBF', '1f4fbf0', 'zzzzzz', '%7D%7D%7D%7D']) {
    t.is((await fetch(`${server().url}/checkout/assets/accent-${name}.css`)).status, 404, name);
  }
});

for (const [situation, json, code, param, words] of [
  ['the colour is a name', { colour: 'red' }, 'invalid_parameter', 'colour', ''],
  ['the logo is an address', { logoUrl: 'https://shop.example.com/a.png' }, 'unknown_parameter', 'logoUrl', ''],
] as const) {
  test(`400 when ${situation}`, async (t) => {
    const response = await update(await sharedUser(), json);

    t.is(response.status, 400);
    const { error, message } = await response.json();
    t.like(error, { code, param });
    t.true(message.includes(words), message);
  });
}

for (const colour of ['#777777', '#ffffff', '#000000', '#ffee00']) {
  test(`200 for ${colour}, which is not refused for its contrast`, async (t) => {
    const response = await update(await signIn(server()), { colour });

    t.is(response.status, 200);
    t.is((await response.json()).colour, colour);
  });
}

test('200 shows the name in both modes, to keys and to sessions', async (t) => {
  const ada = await signIn(server());

  await update(ada, { name: 'Ada & Daughters' });

  for (const key of [ada.merchant.testKey, ada.merchant.liveKey]) {
    t.is((await (await server().request('/api/v1/me', { key })).json()).merchant.name, 'Ada & Daughters');
  }
  t.is((await (await ada.call('/api/v1/dashboard/session')).json()).merchant.name, 'Ada & Daughters');
  t.is((await (await ada.call(path, { mode: 'live' })).json()).name, 'Ada & Daughters');
});

test('200 does not change other merchants', async (t) => {
  const [ada, other] = [await signIn(server()), await signIn(server())];
  const before = await settingsOf(other);

  await update(ada, { name: 'Ada’s Bookshop' });

  t.deepEqual(await settingsOf(other), before);
});

test('200 for the name that the merchant has already', async (t) => {
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

test('200 keeps the links and the name on statements, and null removes them', async (t) => {
  const ada = await signIn(server());

  const response = await update(ada, links);
  const removed = await update(ada, { termsUrl: null, supportUrl: null, supportEmail: null, statementName: null });

  t.like(await response.json(), links);
  t.like(await removed.json(), { termsUrl: null, supportUrl: null, supportEmail: null, statementName: null });
});

for (const statementName of ['ABCDE', 'A234567890123456789012']) {
  test(`200 for the name on statements ${statementName}`, async (t) => {
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
  test(`400 for the name on statements "${statementName}"`, async (t) => {
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
] as const) {
  test(`400 for ${address} as ${field}`, async (t) => {
    const response = await update(await sharedUser(), { [field]: address });

    t.is(response.status, 400);
    t.like((await response.json()).error, { code, param: field });
  });
}

const refused: [situation: string, json: unknown, code: string, param: string | null][] = [
  ['the body names nothing', {}, 'invalid_parameter', null],
  ['the name is null', { name: null }, 'invalid_parameter', 'name'],
  ['the name is empty', { name: '' }, 'invalid_parameter', 'name'],
  ['the name is blank', { name: ' \t' }, 'invalid_parameter', 'name'],
  ['the name is too long', { name: 'a'.repeat(121) }, 'invalid_parameter', 'name'],
  ['the name holds what Postgres refuses', { name: 'a\u0000' }, 'invalid_parameter', 'name'],
  ['the name could move a terminal', { name: 'a\u001b[2J' }, 'invalid_parameter', 'name'],
  ['the name reads backwards', { name: '\u202eevil' }, 'invalid_parameter', 'name'],
  ['the name has two lines', { name: 'a\nb' }, 'invalid_parameter', 'name'],
  ['the currency is to change', { currency: 'USD' }, 'unknown_parameter', 'currency'],
  ['the fee is to change', { name: 'Ada’s Bookshop', transferFee: 0 }, 'unknown_parameter', 'transferFee'],
];

test('400 says in words which names are valid', async (t) => {
  const response = await update(await sharedUser(), { name: 'a\tb' });

  t.is(
    (await response.json()).message,
    'name must be one line, not blank, without control characters and without characters that turn the direction of text',
  );
});

for (const [situation, json, code, param] of refused) {
  test(`400 when ${situation}`, async (t) => {
    const ada = await sharedUser();
    const before = await settingsOf(ada);

    const response = await update(ada, json);

    t.is(response.status, 400);
    t.like((await response.json()).error, { code, param });
    t.deepEqual(await settingsOf(ada), before);
  });
}
