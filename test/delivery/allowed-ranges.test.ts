import { loadConfig } from '@tillhook/server';
import { createSender } from '@tillhook/server/src/wire/sender.ts';
import test, { type ExecutionContext } from 'ava';
import { startNameServer } from '../support/network/name-server.ts';
import { answersOk } from '../support/receivers/bad-answers.ts';
import { startForbiddenListener } from '../support/receivers/inside-receivers.ts';
import { startRawReceiver } from '../support/receivers/raw-receiver.ts';
import { startReceiver } from '../support/receivers/receiver.ts';

const posting = (url: string) => ({ url, headers: ['content-type', 'application/json'], body: Buffer.from('{}') });

function senderWith(t: ExecutionContext, allowed: string) {
  const sender = createSender(loadConfig({ WEBHOOK_ALLOW_CIDRS: allowed }));
  t.teardown(() => sender.destroy());
  return sender;
}

test.serial('the sender may send to exactly the addresses in the ranges that the settings allow', async (t) => {
  const nameServer = await startNameServer();
  t.teardown(() => nameServer.stop());
  const receiver = await startRawReceiver(t, answersOk);
  const sender = senderWith(t, '127.0.0.1/32');
  const at = (host: string) => sender.post(posting(`http://${host}:${receiver.port}/`));
  nameServer.names.set('allowed.test', ['127.0.0.1']);
  nameServer.names.set('half-allowed.test', ['127.0.0.1', '127.0.0.2']);

  for (const host of ['127.0.0.1', '127.1', '[::ffff:127.0.0.1]', 'localhost', 'allowed.test']) {
    t.like(await at(host), { error: null, statusCode: 200 }, host);
  }
  for (const host of ['127.0.0.2', '127.0.0.0', '0.0.0.0', '[::1]', '10.0.0.1', 'half-allowed.test']) {
    t.like(await at(host), { error: 'address_refused', statusCode: null }, host);
  }
  t.is(receiver.requests, 5);
});

test.serial('a redirect to a private address is not followed', async (t) => {
  const inside = await startForbiddenListener();
  const receiver = await startReceiver();
  t.teardown(() => receiver.stop());
  const location = `http://169.254.169.254:${inside.port}/latest/meta-data`;
  receiver.setAnswer(() => ({ status: 302, headers: { location } }));

  const { error, statusCode } = await senderWith(t, '127.0.0.0/8').post(posting(receiver.url));

  t.deepEqual([error, statusCode], [null, 302]);
  t.is(receiver.deliveries.length, 1);
  t.is(inside.connections, 0);
});
