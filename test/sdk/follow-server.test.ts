/** `events.follow()` on a real server, also over its restart. */
import { type Feed, Tillhook, ValidationError } from '@tillhook/sdk';
import test from 'ava';
import { createTestDatabase } from '../support/database/database.ts';
import { freePort } from '../support/network/free-port.ts';
import { testEnvironment } from '../support/server/environment.ts';
import { spawnTillhook } from '../support/server/process.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();

/** Completes one payment, without the page for customers, whose calls are limited. */
async function payOnce(client: Tillhook): Promise<string> {
  const { data } = await client.checkout.create({ email: 'ada@example.com', amount: 500_000 });
  await client.testHelpers.completePayment(data.reference);
  return data.reference;
}

/** Reads a feed until it has given this many events, and returns their references. */
async function take(feed: Feed<'listEvents'>, count: number): Promise<(string | null)[]> {
  const references: (string | null)[] = [];
  for await (const { reference } of feed) if (references.push(reference) === count) break;
  return references;
}

test('no event is lost and none comes twice over a restart of the service', async (t) => {
  const database = await createTestDatabase();
  t.teardown(() => database.drop());
  const env = testEnvironment(database.url, { SEED_DEMO: 'true', PORT: String(await freePort()) });
  const first = spawnTillhook(t, env);
  const key = await first.line('test key ');
  await first.line('ready');
  const retried = Promise.withResolvers<void>();
  const hooks = { retry: () => retried.resolve() };
  const client = new Tillhook(key, { baseUrl: await first.line('api '), hooks });

  const followed = take(client.events.follow({ from: 'oldest' }), 4);
  const paid = [await payOnce(client), await payOnce(client)];
  first.kill('SIGTERM');
  await retried.promise;
  t.is((await first.ended).code, 0);
  await spawnTillhook(t, env).line('ready');
  paid.push(await payOnce(client), await payOnce(client));

  t.deepEqual(await followed, paid);
});

test('payments that end at the same moment are each given once, in pages of two', async (t) => {
  const { client } = await server().createMerchant();

  const followed = take(client.events.follow({ from: 'oldest', limit: 2 }), 12);
  const paid = await Promise.all(Array.from({ length: 12 }, () => payOnce(client)));

  t.deepEqual((await followed).toSorted(), paid.toSorted());
});

test('a feed that begins now gives the next event, and none from before', async (t) => {
  const { client, testKey } = await server().createMerchant();
  const before = await payOnce(client);
  // An event that was just saved may come a moment later.
  t.deepEqual(await take(client.events.follow({ from: 'oldest' }), 1), [before]);
  const begun = Promise.withResolvers<void>();
  const hooks = { response: () => begun.resolve() };
  const own = new Tillhook(testKey, { baseUrl: server().url, hooks });

  const followed = take(own.events.follow(), 1);
  await begun.promise;
  const next = await payOnce(client);

  t.deepEqual(await followed, [next]);
});

test('an unknown after is thrown', async (t) => {
  const { client } = await server().createMerchant();
  await payOnce(client);

  const after = '019aa3c7-0a1d-7c52-8f3a-1b2c3d4e5f60';
  const error = await t.throwsAsync(take(client.events.follow({ after }), 1), { instanceOf: ValidationError });

  t.is(error?.param, 'after');
});
