import tls from 'node:tls';
import { type Receiver, startReceiver } from '@tillhook/mock/receiver';
import test, { type ExecutionContext } from 'ava';
import { eventually } from '../support/eventually.ts';
import { createAuthority, selfSigned } from '../support/network/certificates.ts';
import { type NameServer, startNameServer } from '../support/network/name-server.ts';
import * as bad from '../support/receivers/bad-answers.ts';
import { insertDeliveries, makeDeliveriesDue } from '../support/receivers/deliveries.ts';
import { type AnswerByHand, startRawReceiver } from '../support/receivers/raw-receiver.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const timeoutMs = 3000;
const server = serverForFile({
  DELIVERY_TIMEOUT_MS: `${timeoutMs}`,
  DELIVERY_CONNECT_TIMEOUT_MS: '2000',
  DELIVERY_RETRY_DELAYS_MS: '',
});
const authority = createAuthority();
let healthy: Receiver;
let nameServer: NameServer;

test.before(async () => {
  tls.setDefaultCACertificates([...tls.getCACertificates(), authority.cert]);
  healthy = await startReceiver();
  nameServer = await startNameServer();
});

test.after.always(async () => {
  await healthy?.stop();
  nameServer?.stop();
});

/** What the log shows of one event that went to this address and to a healthy receiver at the same time. */
async function deliverTo(url: string) {
  const merchant = await server().createMerchant();
  const { client } = merchant;
  const ids = await Promise.all(
    [url, healthy.url].map(async (each) => {
      const { id: webhookId } = await client.webhookEndpoints.register({ url: each });
      const [id = ''] = await insertDeliveries(server(), merchant, { webhookId, status: 'pending' });
      await makeDeliveriesDue(server(), webhookId);
      return id;
    }),
  );
  const pending = `select id from delivery where merchant_id = $1 and status = 'pending'`;
  await eventually(() => server().database.query(pending, [merchant.id]), []);
  const [troubled, untroubled] = await Promise.all(ids.map((id) => client.deliveries.get(id)));
  if (!troubled || !untroubled) throw new Error('Both are in the log.');
  return { troubled, untroubled };
}

interface Expected {
  /** Null is a success. */
  error: string | null;
  statusCode?: number | null;
  status?: 'delivered' | 'failed';
}

/** One attempt, within the time, and nothing to the cost of others. */
async function showsOnce(t: ExecutionContext, url: string, { error, statusCode = null, status = 'failed' }: Expected) {
  const { troubled, untroubled } = await deliverTo(url);
  t.like(troubled, { status, attemptCount: 1, attempts: [{ attempt: 1, error, statusCode }] });
  t.like(untroubled, { status: 'delivered', attemptCount: 1 });
  if (error === 'timeout') t.true(String(untroubled.completedAt) < String(troubled.completedAt));
  return troubled.attempts[0];
}

const answers: [name: string, answer: AnswerByHand, expected: Expected][] = [
  ['never answers', bad.neverAnswers, { error: 'timeout' }],
  ['sends its headers one byte at a time', bad.dripsHeaders, { error: 'timeout' }],
  ['sends its body one byte at a time', bad.dripsBody, { error: 'timeout', statusCode: 200 }],
  ['resets a new connection', bad.resetsWithoutAByte, { error: 'connection_reset' }],
  ['closes in the middle of its headers', bad.closesInHeaders, { error: 'connection_reset' }],
  ['closes in the middle of its body', bad.closesInBody, { error: 'connection_reset', statusCode: 200 }],
  ['closes in the middle of its chunks', bad.closesInChunks, { error: 'connection_reset', statusCode: 200 }],
  ['resets in the middle of its body', bad.resetsInBody, { error: 'connection_reset', statusCode: 200 }],
  ['switches to another protocol', bad.switchesProtocol, { error: 'protocol_error' }],
  ['answers with a number that is no status', bad.answersNoStatus, { error: 'protocol_error' }],
  ['speaks HTTP/0.9', bad.speaksHttp09, { error: 'protocol_error' }],
  ['answers twice', bad.answersTwice, { error: null, statusCode: 200, status: 'delivered' }],
];

for (const [name, answer, expected] of answers) {
  test(`a receiver that ${name} is one attempt and costs the others nothing`, async (t) => {
    const receiver = await startRawReceiver(t, answer);

    await showsOnce(t, `http://127.0.0.1:${receiver.port}/`, expected);

    t.is(receiver.requests, 1);
  });
}

const floods: [name: string, answer: AnswerByHand, expected: Expected][] = [
  ['sends a gibibyte', bad.sendsGibibyte, { error: null, statusCode: 200, status: 'delivered' }],
  ['sends headers for ever', bad.endlessHeaders, { error: 'protocol_error' }],
  ['sends one header for ever', bad.endlessHeader, { error: 'protocol_error' }],
  ['sends a reason phrase for ever', bad.endlessReason, { error: 'protocol_error' }],
  ['sends blank lines for ever', bad.endlessBlankLines, { error: 'protocol_error' }],
  ['sends a chunk extension for ever', bad.endlessChunkExtension, { error: 'protocol_error', statusCode: 200 }],
  ['sends trailers for ever', bad.endlessTrailers, { error: 'protocol_error', statusCode: 200 }],
  ['says 100 for ever', bad.continuesForever, { error: 'protocol_error' }],
  ['says 103 for ever', bad.hintsForever, { error: 'protocol_error' }],
];

for (const [name, answer, expected] of floods) {
  test(`a receiver that ${name} is cut off early and costs the others nothing`, async (t) => {
    const receiver = await startRawReceiver(t, answer);

    const attempt = await showsOnce(t, `http://127.0.0.1:${receiver.port}/`, expected);

    t.is(receiver.requests, 1);
    t.true(receiver.sentBytes() < 16_000_000, `${receiver.sentBytes()}`);
    t.true(Buffer.byteLength(attempt?.responseBody ?? '') <= 2048);
  });
}

test('a body that is compressed is kept as it came, and cut', async (t) => {
  const receiver = await startRawReceiver(t, bad.sendsGzipBomb);

  const attempt = await showsOnce(t, `http://127.0.0.1:${receiver.port}/`, {
    error: null,
    statusCode: 200,
    status: 'delivered',
  });

  t.like(attempt, { responseTruncated: true, responseHeaders: { 'content-encoding': 'gzip' } });
  t.true(attempt?.responseBody?.startsWith('\u001F\uFFFD\b'));
});

test('a redirect is not followed, not even to where it came from', async (t) => {
  const receiver = await startRawReceiver(t, bad.redirects);

  await showsOnce(t, `http://127.0.0.1:${receiver.port}/webhooks`, { error: null, statusCode: 307 });

  t.is(receiver.requests, 1);
});

test('a certificate that is in order is taken', async (t) => {
  const receiver = await startRawReceiver(t, bad.answersOk, authority.issue('127.0.0.1'));

  await showsOnce(t, `https://127.0.0.1:${receiver.port}/`, { error: null, statusCode: 200, status: 'delivered' });
});

const certificates = {
  'signed by itself': selfSigned('127.0.0.1'),
  'of an authority that nobody knows': createAuthority('Somebody').issue('127.0.0.1'),
  'for another host': authority.issue('elsewhere.example'),
  'that has run out': authority.issue('127.0.0.1', { isExpired: true }),
};

for (const [name, certificate] of Object.entries(certificates)) {
  test(`a certificate ${name} is refused before anything is sent`, async (t) => {
    const receiver = await startRawReceiver(t, bad.answersOk, certificate);

    await showsOnce(t, `https://127.0.0.1:${receiver.port}/`, { error: 'tls_failed' });

    t.is(receiver.requests, 0);
  });
}

test('a receiver without TLS behind an https address is a failure of TLS', async (t) => {
  const plain = await startReceiver();
  t.teardown(() => plain.stop());

  await showsOnce(t, plain.url.replace('http:', 'https:'), { error: 'tls_failed' });

  t.is(plain.deliveries.length, 0);
});

test('a name that does not exist is a failure of DNS', async (t) => {
  await showsOnce(t, 'http://nowhere.test/', { error: 'dns_failed' });
});

// What depends on how soon something happens comes before the rest, alone.
test.serial('names whose servers keep silent are failures of DNS, and hold up no other name', async (t) => {
  const receiver = await startReceiver();
  t.teardown(() => receiver.stop());
  const silent = Array.from({ length: 8 }, (_, n) => `silent${n}.test`);
  for (const name of silent) nameServer.names.set(name, 'silence');
  nameServer.names.set('speaks.test', ['127.0.0.1']);
  let isOver = false;
  const slow = Promise.all(silent.map((name) => showsOnce(t, `http://${name}/`, { error: 'dns_failed' })));
  const slowIsOver = slow.then(() => {
    isOver = true;
  });

  await showsOnce(t, receiver.url.replace('127.0.0.1', 'speaks.test'), {
    error: null,
    statusCode: 200,
    status: 'delivered',
  });

  t.false(isOver);
  await slowIsOver;
});

test.serial('of twenty addresses, the one that answers is found', async (t) => {
  const receiver = await startRawReceiver(t, bad.answersOk);
  nameServer.names.set(
    'twenty.test',
    Array.from({ length: 20 }, (_, n) => `127.0.0.${((n + 18) % 20) + 1}`),
  );

  await showsOnce(t, `http://twenty.test:${receiver.port}/`, { error: null, statusCode: 200, status: 'delivered' });

  t.is(receiver.connections, 1);
});

test.serial(
  'a reset of a connection used before, without a byte of an answer, is sent again as the same attempt',
  async (t) => {
    const receiver = await startRawReceiver(t, bad.dropsSecondRequest);
    const url = `http://127.0.0.1:${receiver.port}/`;

    await showsOnce(t, url, { error: null, statusCode: 200, status: 'delivered' });
    await showsOnce(t, url, { error: null, statusCode: 200, status: 'delivered' });

    t.is(receiver.requests, 3);
    t.is(receiver.connections, 2);
  },
);
