/** Tests `listen` while its service is killed and restarted, and with more unread events than fit into memory. */
import { Tillhook } from '@tillhook/sdk';
import test from 'ava';
import { newIds } from '../../support/database/new-ids.ts';
import { insertEvent } from '../../support/events/held-event.ts';
import { freePort } from '../../support/network/free-port.ts';
import { receiverFor } from '../../support/receivers/receiver.ts';
import { createDataDir } from '../../support/server/data-dir.ts';
import { environmentOf, spawnDeveloper, startListen } from '../../support/server/developer.ts';
import { spawnTillhook } from '../../support/server/process.ts';
import { serverForFile } from '../../support/server/tillhook.ts';

const server = serverForFile();

async function pay(client: Tillhook, reference: string): Promise<void> {
  await client.checkout.create({ email: 'ada@example.com', amount: 700, reference });
  await client.test.completePayment(reference);
}

test('when the service is killed and restarted, `listen` loses no event and posts none twice', async (t) => {
  const env = { DATA_DIR: createDataDir(t), PORT: String(await freePort()) };
  const first = spawnTillhook(t, env);
  const key = await first.line('test key ');
  const baseUrl = await first.line('api ');
  await first.line('ready');
  const client = new Tillhook(key, { baseUrl });
  const local = await receiverFor(t);
  const listen = spawnDeveloper(
    t,
    { TILLHOOK_API_KEY: key, TILLHOOK_BASE_URL: baseUrl },
    ...['listen', '--forward-to', local.url],
  );
  await listen.printed('Listening');
  await pay(client, 'order-1');
  await local.waitFor(1, 60_000);

  first.kill('SIGKILL');
  await first.ended;
  const second = spawnTillhook(t, env);
  await second.line('ready');
  for (const reference of ['order-2', 'order-3']) await pay(client, reference);
  await local.waitFor(3, 60_000);
  listen.interrupt();
  const { stdout, stderr } = await listen.ended;
  second.kill('SIGTERM');
  await second.ended;

  t.deepEqual(
    local.deliveries.map(({ body }) => JSON.parse(String(body)).data.reference),
    ['order-1', 'order-2', 'order-3'],
  );
  t.regex(stdout, /3 received, 3 forwarded, 0 failed/);
  t.regex(
    stderr,
    /^The service does not answer \(.+\)\. Waiting for it; no event is lost\.\nThe service answers again\.\n$/,
  );
});

test('with more unread events than fit into memory, `listen` posts each event once, ten at a time', async (t) => {
  const merchant = await server().createMerchant();
  const behind = 1_500;
  await server().database.query(
    `insert into event (id, merchant_id, mode, name, reference, body, created_at)
     select new_id, merchant_id, mode, name, 'order-' || 1 + number, body, now()
     from event, unnest($2::uuid[]) with ordinality as given (new_id, number) where id = $1`,
    [await insertEvent(t, server(), { merchant }), newIds(behind - 1)],
  );
  const seen = { now: 0, max: 0 };
  const local = await receiverFor(t);
  local.setAnswer(async () => {
    seen.now += 1;
    seen.max = Math.max(seen.max, seen.now);
    await new Promise((resolve) => setTimeout(resolve, 1));
    seen.now -= 1;
    return {};
  });

  const listen = await startListen(t, {
    env: environmentOf(server(), merchant),
    args: ['--forward-to', local.url, '--since', '1h'],
  });

  const deliveries = await local.waitFor(behind, 100_000);
  t.is(new Set(deliveries.map(({ headers }) => headers['webhook-id'])).size, behind);
  t.is(seen.max, 10);
  await listen.printed(`order-${behind}`);
  listen.interrupt();
  t.regex((await listen.ended).stdout, /\n1500 received, 1500 forwarded, 0 failed\.\n$/);
});
