/**
 * The server reads headers and queries before it counts a call against a rate limit. So the time to read them must grow
 * no faster than their length, and the server must keep nothing of them in memory.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import test from 'ava';
import { ownServerForFile, usualSettings } from '../support/server/tillhook.ts';

// The server runs in the process of these tests, which measure its heap.
const server = ownServerForFile(usualSettings);

/** A faulty validator would search this header to its end from each semicolon. */
const semicolons = (length: number) => `x/y${';'.repeat(length)}a`;

const signIn = (contentType: string) =>
  server().request('/api/v1/dashboard/session', {
    method: 'POST',
    headers: { 'content-type': contentType },
    body: '{}',
  });

// With the mistake that the test guards against, the long header took about a hundred times as long.
test.serial('a Content-Type header of ten times the length takes the server less than ten times as long', async (t) => {
  await signIn(semicolons(10));

  const short = await fastestOf(5, () => eightAtOnce(semicolons(1500)));
  const long = await fastestOf(5, () => eightAtOnce(semicolons(15_000)));

  t.true(long < 10 * short, `8 headers of 15 KB took ${long} ms, 8 of 1.5 KB ${short} ms`);
});

async function eightAtOnce(contentType: string): Promise<void> {
  const responses = await Promise.all(Array.from({ length: 8 }, () => signIn(contentType)));
  for (const { status } of responses) if (status !== 415) throw new Error(`The answer was ${status}.`);
}

async function fastestOf(rounds: number, work: () => Promise<void>): Promise<number> {
  const durations: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const startedAt = performance.now();
    await work();
    durations.push(performance.now() - startedAt);
  }
  return Math.min(...durations);
}

const growths = [
  ['that are no JSON', (index: number) => `text/plain; a=${index}`],
  ['with parameters of every name', (index: number) => `application/json; a${index}=b`],
  ['of unknown names', (index: number) => `application/x${index}`],
] as const;

for (const [kind, contentType] of growths) {
  test.serial(`a hundred Content-Type values ${kind} leave no validator in memory`, async (t) => {
    const { testKey } = await server().createMerchant();
    const list = (header: string) =>
      server().request('/api/v1/payments', { key: testKey, headers: { 'content-type': header } });
    for (let index = 0; index < 20; index++) await list('application/json');
    const before = heapAfterCollection();

    for (let index = 0; index < 100; index++) t.is((await list(contentType(index))).status, 200);

    // With the mistake that the test guards against, each Content-Type left at least half a megabyte in memory.
    const grownBytes = heapAfterCollection() - before;
    t.true(grownBytes < 10_000_000, `The heap grew by ${grownBytes} bytes`);
  });
}

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

function heapAfterCollection(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

const taken = [
  'application/json',
  'application/json; charset=utf-8',
  'Application/JSON;charset="UTF-8"',
  'application/json ; charset=utf8',
  'application/json; profile=x',
];

for (const contentType of taken) {
  test(`a body with the Content-Type ${contentType} is accepted`, async (t) => {
    const { testKey } = await server().createMerchant();

    const response = await checkout(testKey, { 'content-type': contentType });

    t.is(response.status, 201);
  });
}

const refused = [
  'text/plain',
  'application/json-seq',
  'application/jsonp',
  'json',
  'application/x-www-form-urlencoded',
];

for (const contentType of [...refused, 'multipart/form-data; boundary=x', 'application/json; charset=utf-16']) {
  test(`415 for a body of ${contentType}`, async (t) => {
    const { testKey } = await server().createMerchant();

    const response = await checkout(testKey, { 'content-type': contentType });

    t.is(response.status, 415);
    t.is((await response.json()).error.code, 'unsupported_media_type');
  });
}

test.serial(
  'a thousand query parameters with brackets take less than five times as long as a thousand parameters without brackets',
  async (t) => {
    const ask = async (nameOf: (index: number) => string) => {
      const query = Array.from({ length: 1000 }, (_, index) => nameOf(index)).join('&');
      const response = await server().request(`/api/v1/dashboard/session?${query}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      });
      t.is(response.status, 400);
    };

    const plain = await fastestOf(5, () => ask((index) => `a.k${index}`));
    const bracketed = await fastestOf(5, () => ask((index) => `a[k${index}]`));

    t.true(bracketed < 5 * plain, `1,000 names with brackets took ${bracketed} ms, 1,000 without ${plain} ms`);
  },
);

test.serial(
  'an Accept header of ten times the length takes the server less than ten times as long, and the answer is JSON',
  async (t) => {
    const { testKey } = await server().createMerchant();
    const list = (accept: string) => server().request('/api/v1/payments', { key: testKey, headers: { accept } });

    const short = await fastestOf(5, async () => void (await list(semicolons(1500))));
    const long = await fastestOf(5, async () => void (await list(semicolons(15_000))));

    t.true(long < 10 * short, `An Accept of 15 KB took ${long} ms, one of 1.5 KB ${short} ms`);
    t.regex((await list('text/html')).headers.get('content-type') ?? '', /^application\/json/);
  },
);

function checkout(key: string, headers: Record<string, string>) {
  return server().request('/api/v1/payments/checkout', {
    method: 'POST',
    headers: { 'x-api-key': key, ...headers },
    body: Buffer.from(JSON.stringify({ email: 'ada@example.com', amount: 100 })),
  });
}
