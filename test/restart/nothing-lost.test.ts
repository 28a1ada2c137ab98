import { startReceiver } from '@tillhook/mock/receiver';
import { Tillhook } from '@tillhook/sdk';
import test from 'ava';
import { eventually } from '../support/eventually.ts';
import { payByForm } from '../support/pages/hosted-page.ts';
import { createDataDir } from '../support/server/data-dir.ts';
import { spawnTillhook, type TillhookProcess } from '../support/server/process.ts';

const referenceIn = ({ body }: { body: Buffer }): string => JSON.parse(String(body)).data.reference;

async function clientOf(server: TillhookProcess, key: string): Promise<Tillhook> {
  return new Tillhook(key, { baseUrl: await server.line('api ') });
}

test('the first start prints its lines, Ctrl-C stops everything, and a second start keeps all data', async (t) => {
  const DATA_DIR = createDataDir(t);
  const first = spawnTillhook(t, { DATA_DIR });
  const key = await first.line('test key ');
  await first.line('ready');
  const client = await clientOf(first, key);
  await client.checkout.create({ email: 'ada@example.com', amount: 500_000, reference: 'order-1042' });

  first.kill('SIGINT');
  const { code, stdout } = await first.ended;
  t.is(code, 0);
  t.deepEqual(
    stdout
      .trim()
      .split('\n')
      .map((line) => line.replace(/ (http|sk_|\S+@).*/, '')),
    ['api', 'dashboard', 'docs', 'test key', 'sign in', 'ready'],
  );

  const second = spawnTillhook(t, { DATA_DIR });
  await second.line('ready');
  t.like(await (await clientOf(second, key)).payments.get('order-1042'), { amount: 500_000, status: 'pending' });
  second.kill('SIGTERM');
  const end = await second.ended;
  t.is(end.code, 0);
  t.notRegex(end.stdout, /sk_test_|sign in /);
  t.regex(end.stdout, /^ {2}npx tillhook keys create --mode test$/m);
  t.regex(end.stdout, /^ {2}npx tillhook users reset-password --email demo@example\.com$/m);
});

test('after kill -9 a second start on the same data sends the pending deliveries', async (t) => {
  const DATA_DIR = createDataDir(t);
  const receiver = await startReceiver({ answer: () => 'hang' });
  t.teardown(() => receiver.stop());
  const env = {
    DATA_DIR,
    DELIVERY_TIMEOUT_MS: '1000',
    DELIVERY_CONNECT_TIMEOUT_MS: '1000',
    DELIVERY_LEASE_MS: '2000',
    // If the five payments take longer than the first delivery waits for its retry, it has failed attempts before the
    // kill.
    DELIVERY_RETRY_DELAYS_MS: '2000,2000,2000',
  };
  const first = spawnTillhook(t, env);
  const key = await first.line('test key ');
  const client = await clientOf(first, key);
  await client.webhookEndpoints.register({ url: receiver.url });
  const sessions = await Promise.all(
    Array.from({ length: 5 }, () => client.checkout.create({ email: 'ada@example.com', amount: 1 })),
  );
  await Promise.all(sessions.map(({ data }) => payByForm(data.checkoutUrl, '4242424242424242')));
  await receiver.waitFor(1);

  first.kill('SIGKILL');
  await first.ended;
  receiver.setAnswer(() => ({ status: 200 }));
  const unanswered = receiver.deliveries.length;
  const second = spawnTillhook(t, env);
  await second.line('ready');

  const owed = sessions.map(({ data }) => data.reference).sort();
  const heard = () => [...new Set(receiver.deliveries.slice(unanswered).map(referenceIn))].sort();
  await eventually(() => heard().length, owed.length);
  t.deepEqual(heard(), owed);
  second.kill('SIGTERM');
  t.is((await second.ended).code, 0);
});

test('a second process does not touch the embedded database of a running one', async (t) => {
  const DATA_DIR = createDataDir(t);
  const first = spawnTillhook(t, { DATA_DIR });
  await first.line('ready');

  const second = await spawnTillhook(t, { DATA_DIR }).ended;

  t.is(second.code, 1);
  t.regex(second.stderr, /Another process already uses the database/);
  t.is((await fetch(`${await first.line('api ')}/readyz`)).status, 200);
  first.kill('SIGTERM');
  await first.ended;
});
