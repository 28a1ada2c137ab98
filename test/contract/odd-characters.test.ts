import { readContract } from '@tillhook/openapi';
import test from 'ava';
import fc from 'fast-check';
import { recipient } from '../support/money/transfers.ts';
import { serverForFile } from '../support/server/tillhook.ts';
import { signIn } from '../support/users/session.ts';

const server = serverForFile();

const paid = { email: 'ada@example.com', amount: 500 };
const item = (name: string) => [{ name, quantity: 1, unitAmount: 500 }];

const withoutThem = 'without control characters and without characters that turn the direction of text';
const oneLine = `must be one line, ${withoutThem}`;
const notBlank = `must be one line, not blank, ${withoutThem}`;
const lines =
  'must have no control characters except tabs and line breaks, and no characters that turn the direction of text';

const fields: [field: string, call: string, message: string, body: (text: string) => object][] = [
  ['/description', 'POST /payments/checkout', lines, (description) => ({ ...paid, description })],
  ['/lineItems/0/name', 'POST /payments/checkout', oneLine, (name) => ({ ...paid, lineItems: item(name) })],
  ['/name', 'POST /storefront/products', oneLine, (name) => ({ name, price: 500 })],
  ['/description', 'POST /storefront/products', lines, (description) => ({ name: 'Atlas', price: 500, description })],
  ['/narration', 'POST /transfers', oneLine, (narration) => ({ amount: 500, recipient: recipient(), narration })],
  ['/recipient/name', 'POST /transfers', oneLine, (name) => ({ amount: 500, recipient: { ...recipient(), name } })],
  ['/reason', 'POST /payments/order-1042/refunds', lines, (reason) => ({ amount: 500, reason })],
  ['/metadata/cart', 'POST /payments/checkout', lines, (cart) => ({ ...paid, metadata: { cart } })],
  ['/metadata/room', 'POST /transfers', lines, (room) => ({ amount: 5, recipient: recipient(), metadata: { room } })],
  ['/metadata/cart', 'POST /payments/order-1042/refunds', lines, (cart) => ({ amount: 500, metadata: { cart } })],
  ['/metadata/cart', 'POST /storefront/products', lines, (cart) => ({ name: 'A', price: 500, metadata: { cart } })],
  ['/name', 'PATCH /dashboard/settings', notBlank, (name) => ({ name })],
  ['/name', 'POST /dashboard/api-keys', notBlank, (name) => ({ name })],
];

const alwaysRefused = ['\u001b[31mred', 'a\u0007', 'a\u007f', 'a\u009b1m', 'a\u202egnp', '\u202aa', 'a\u2066b\u2069'];
const breaks = ['a\nb', 'a\r\nb', 'a\tb'];
/** Texts in Arabic, Hebrew with a mark, and Persian with a zero-width non-joiner, and joined emoji. */
const allowed = ['مكتبة آدا', 'שלום \u200fabc', 'می\u200cخواهم', '👩\u200d💻 🏴\u200d☠️', 'Ünï “code” — ok', ' a '];

for (const [field, call, message, body] of fields) {
  test(`${call}${field}: refuses control characters and bidirectional controls, and accepts every language`, async (t) => {
    const ada = await signIn(server());
    const { testKey: key } = ada.merchant;
    const [method = '', path = ''] = call.split(' ');
    const answerTo = async (text: string) => {
      const response = path.startsWith('/dashboard/')
        ? await ada.call(`/api/v1${path}`, { method, json: body(text) })
        : await server().request(`/api/v1${path}`, {
            key,
            method,
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(body(text)),
          });
      return (await response.json()) as { error?: { details: { path: string; message: string }[] } };
    };
    const isOneLine = message !== lines;

    for (const text of isOneLine ? [...alwaysRefused, ...breaks] : alwaysRefused) {
      const { error } = await answerTo(text);
      const found = error?.details.find((detail) => detail.path === field);
      t.is(found?.message, message, JSON.stringify(text));
    }
    for (const text of isOneLine ? allowed : [...allowed, ...breaks]) {
      const { error } = await answerTo(text);
      t.false(error?.details.some((detail) => detail.path === field) ?? false, JSON.stringify(text));
    }
  });
}

test('a key of metadata is one line of 1 to 40 characters, without control characters and bidirectional controls', async (t) => {
  const { testKey: key } = await server().createMerchant();
  const create = async (name: string) => {
    const body = JSON.stringify({ ...paid, metadata: { [name]: '7' } });
    const headers = { 'content-type': 'application/json' };
    return (await server().request('/api/v1/payments/checkout', { key, method: 'POST', headers, body })).json();
  };

  for (const name of [...alwaysRefused, ...breaks]) {
    const { error } = await create(name);
    t.is(error?.details[0]?.path, '/metadata', JSON.stringify(name));
    t.regex(error?.details[0]?.message, /^must have keys of one line, without control characters/);
    t.is(error?.details.length, 1, JSON.stringify(name));
  }
  for (const name of ['', 'k'.repeat(41)]) {
    const { path, message } = (await create(name)).error?.details[0] ?? {};
    t.deepEqual([path, message], ['/metadata', 'must have keys of 1 to 40 characters']);
  }
  for (const name of allowed) t.true((await create(name)).success, JSON.stringify(name));
});

test('a record that was stored before control characters were refused is returned unchanged', async (t) => {
  const merchant = await server().createMerchant();
  const { data } = await merchant.client.checkout.create({
    ...paid,
    description: 'Blue shirt',
    lineItems: item('Shirt'),
  });
  const metadata = { 'a\u202egnp': 'b\u0007\u202egnp' };
  await server().database.query(
    `update payment set description = $2, metadata = $4, line_items = jsonb_build_array(jsonb_build_object('name', $3::text, 'quantity', 1, 'unitAmount', 500))
     where reference = $1`,
    [data.reference, 'a\u202egnp\u001b', 'b\u202egnp', metadata],
  );

  const payment = await merchant.client.payments.get(data.reference);
  const page = await (await fetch(data.checkoutUrl)).text();

  t.is(payment.description, 'a\u202egnp\u001b');
  t.is(payment.lineItems[0]?.name, 'b\u202egnp');
  t.deepEqual(payment.metadata, metadata);
  t.regex(page, /<bdi[^>]*>a\u202egnp/);
  t.regex(page, /<bdi[^>]*>b\u202egnp/);
});

// The server matches the patterns on strings of up to 100 KiB, even beyond their maxLength, because it reports all
// problems at once. So the time must grow no faster than the string.

const length = 100 * 1024;

const patterns = Map.groupBy(patternsIn(readContract().document, ''), ({ pattern }) => pattern);

function* patternsIn(node: unknown, place: string): Generator<{ pattern: string; place: string }> {
  if (node === null || typeof node !== 'object') return;
  for (const [key, child] of Object.entries(node)) {
    if (key === 'pattern' && typeof child === 'string') yield { pattern: child, place };
    else yield* patternsIn(child, `${place}/${key}`);
  }
}

// A pattern with quadratic time takes a hundred thousand times as long as a pattern that reads each character once.
const maxRatio = 1000;
const once = Math.min(...[1, 2, 3, 4, 5].map(() => timeOf(/^[^\0]*$/u, 'a'.repeat(length))));

for (const [pattern, places] of patterns) {
  test(`100 KB of the worst strings do not take quadratic time: ${places[0]?.place}`, (t) => {
    const regex = new RegExp(pattern, 'u');
    let tried = 0;
    for (const { text, made } of worstStrings(pattern)) {
      tried += 1;
      const ratio = ratioOf(regex, text);
      if (ratio > maxRatio) return t.fail(`${pattern} took ${Math.round(ratio)} times as long for ${made}`);
    }
    t.true(tried >= 4, `only ${tried} strings were tried`);
  });
}

test('every pattern of the contract is tested', (t) => {
  const written = JSON.stringify(readContract().document).match(/"pattern":"/g) ?? [];

  t.not(written.length, 0);
  t.is([...patterns.values()].flat().length, written.length);
});

test('the test detects a pattern with catastrophic backtracking', (t) => {
  const costly = /^[a-z]*[a-y][a-z]*$/u;

  t.true([...worstStrings(costly.source, 30_000)].some(({ text }) => ratioOf(costly, text) > maxRatio));
});

/** A slow run is repeated, because the machine may be busy. */
function ratioOf(regex: RegExp, text: string): number {
  const ratio = timeOf(regex, text) / once;
  return ratio < maxRatio || ratio > 20 * maxRatio ? ratio : Math.min(ratio, timeOf(regex, text) / once);
}

function timeOf(regex: RegExp, text: string): number {
  const startedAt = performance.now();
  regex.test(text);
  return performance.now() - startedAt;
}

/** Strings that almost match: a pattern that can split such a string in many ways tries all of these ways. */
function* worstStrings(pattern: string, size = length): Generator<{ text: string; made: string }> {
  const characters = kindsOfCharacters(pattern);
  const pairs = characters.flatMap((one) => characters.map((other) => one + other));
  for (const beginning of beginningsFor(pattern)) {
    for (const repeated of [...characters, ...pairs]) {
      for (const end of ['', ...characters]) {
        const text = `${beginning}${repeated.repeat(size / repeated.length)}${end}`;
        yield { text, made: `${JSON.stringify(beginning)}, then ${JSON.stringify([repeated, end])}` };
      }
    }
  }
}

function kindsOfCharacters(pattern: string): string[] {
  const classes = pattern.match(/\[(?:\\.|[^\]\\])*\]|\\[dws]/g) ?? [];
  const regexes = classes.map((each) => new RegExp(`^${each}$`, 'u'));
  const kinds = new Map<string, string>();
  for (let code = 0x20ff; code >= 0; code--) {
    const character = String.fromCodePoint(code);
    kinds.set(regexes.map((regex) => regex.test(character)).join(), character);
  }
  return [...kinds.values()];
}

function beginningsFor(pattern: string): Set<string> {
  // `stringMatching` cannot make strings for a pattern with a negative lookahead.
  const makeable = new RegExp(pattern.replaceAll(/\(\?![^)]*\)/g, ''), 'u');
  const matches = fc.sample(fc.stringMatching(makeable, { size: 'xsmall' }), { numRuns: 2, seed: 1 });
  return new Set(matches.flatMap((text) => ['', text.slice(0, 8), text]));
}
