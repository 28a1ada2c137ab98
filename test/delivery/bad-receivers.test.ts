import tls, { type TlsOptions } from 'node:tls';
import type { Receiver } from '@tillhook/mock/receiver';
import test, { type ExecutionContext } from 'ava';
import { postWebhook } from '../../developer/src/sending/post-webhook.ts';
import { eventually } from '../support/eventually.ts';
import { createAuthority, selfSigned } from '../support/network/certificates.ts';
import { type NameServer, startNameServer } from '../support/network/name-server.ts';
import * as bad from '../support/receivers/bad-answers.ts';
import { insertDeliveries, makeDeliveriesDue } from '../support/receivers/deliveries.ts';
import { type AnswerByHand, startRawReceiver } from '../support/receivers/raw-receiver.ts';
import { startReceiver } from '../support/receivers/receiver.ts';
import { ownServerForFile } from '../support/server/tillhook.ts';

const timeoutMs = 3000;
const server = ownServerForFile({
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
  const [delivery, healthyDelivery] = await Promise.all(ids.map((id) => client.deliveries.get(id)));
  if (!delivery || !healthyDelivery) throw new Error('The log lacks one of the two deliveries.');
  return { delivery, healthyDelivery };
}

interface Expected {
  error: string | null;
  statusCode?: number | null;
  status?: 'delivered' | 'failed';
}

async function assertOneAttempt(
  t: ExecutionContext,
  url: string,
  { error, statusCode = null, status = 'failed' }: Expected,
) {
  const { delivery, healthyDelivery } = await deliverTo(url);
  t.like(delivery, { status, attemptCount: 1, attempts: [{ attempt: 1, error, statusCode }] });
  t.like(healthyDelivery, { status: 'delivered', attemptCount: 1 });
  if (error === 'timeout') t.true(String(healthyDelivery.completedAt) < String(delivery.completedAt));
  return delivery.attempts[0];
}

const ok: Expected = { error: null, statusCode: 200, status: 'delivered' };

const answers: [name: string, answer: AnswerByHand, expected: Expected][] = [
  ['never answers', bad.neverAnswers, { error: 'timeout' }],
  ['sends its headers one byte at a time', bad.dripsHeaders, { error: 'timeout' }],
  ['sends its body one byte at a time', bad.dripsBody, ok],
  ['resets a new connection', bad.resetsWithoutAByte, { error: 'connection_reset' }],
  ['closes in the middle of its headers', bad.closesInHeaders, { error: 'connection_reset' }],
  ['closes in the status line of a 500', bad.closesInHeadersOfError, { error: 'connection_reset' }],
  ['closes in the middle of its body', bad.closesInBody, ok],
  ['closes in the middle of its chunks', bad.closesInChunks, ok],
  ['resets in the middle of its body', bad.resetsInBody, ok],
  ['sends a malformed chunk', bad.breaksChunks, ok],
  ['sends more than its Content-Length', bad.sendsMoreThanLength, ok],
  ['closes in the middle of the body of a 503', bad.closesInBodyOfError, { error: null, statusCode: 503 }],
  ['sends 60 KB of headers', bad.sendsLargeHeaders, ok],
  ['sends 100 before its final response', bad.continues, ok],
  ['sends 100 several times, with headers, and 103', bad.continuesOften, ok],
  ['sends 100 one byte at a time', bad.continuesByteByByte, ok],
  ['sends 102 before its final response', bad.processes, ok],
  ['sends 100 before an error status', bad.continuesToAnError, { error: null, statusCode: 417 }],
  ['switches to another protocol', bad.switchesProtocol, { error: 'protocol_error' }],
  ['answers with the status 042', bad.answersNoStatus, { error: 'protocol_error' }],
  ['speaks HTTP/0.9', bad.speaksHttp09, { error: 'protocol_error' }],
  ['answers twice', bad.answersTwice, ok],
];

for (const [name, answer, expected] of answers) {
  test(`a receiver that ${name} causes one attempt and does not disturb other deliveries`, async (t) => {
    const receiver = await startRawReceiver(t, answer);

    await assertOneAttempt(t, `http://127.0.0.1:${receiver.port}/`, expected);

    t.is(receiver.requests, 1);
  });
}

test('the developer’s commands, too, decide by the status whether a delivery succeeded', async (t) => {
  const answered = answers.filter(([, answer, { error }]) => error === null && answer !== bad.dripsBody);
  t.is(answered.length, 13);

  for (const [name, answer, { statusCode }] of answered) {
    const receiver = await startRawReceiver(t, answer);
    const outcome = await postWebhook(`http://127.0.0.1:${receiver.port}/`, { headers: {}, body: '{}' });
    t.like(outcome, { statusCode, error: null }, name);
  }
});

const floods: [name: string, answer: AnswerByHand, expected: Expected][] = [
  ['sends a gibibyte', bad.sendsGibibyte, ok],
  ['sends endless headers', bad.endlessHeaders, { error: 'protocol_error' }],
  ['sends one endless header', bad.endlessHeader, { error: 'protocol_error' }],
  ['sends an endless reason phrase', bad.endlessReason, { error: 'protocol_error' }],
  ['sends endless blank lines', bad.endlessBlankLines, { error: 'protocol_error' }],
  ['sends an endless chunk extension', bad.endlessChunkExtension, ok],
  ['sends endless trailers', bad.endlessTrailers, ok],
  ['sends 100 endlessly', bad.continuesForever, { error: 'protocol_error' }],
  ['sends 103 endlessly', bad.hintsForever, { error: 'protocol_error' }],
];

for (const [name, answer, expected] of floods) {
  test(`the connection to a receiver that ${name} is closed early, and other deliveries are not disturbed`, async (t) => {
    const receiver = await startRawReceiver(t, answer);

    const attempt = await assertOneAttempt(t, `http://127.0.0.1:${receiver.port}/`, expected);

    t.is(receiver.requests, 1);
    t.true(receiver.sentBytes() < 16_000_000, `${receiver.sentBytes()}`);
    t.true(Buffer.byteLength(attempt?.responseBody ?? '') <= 2048);
  });
}

test('the compressed body of an answer is recorded truncated, without being decompressed', async (t) => {
  const receiver = await startRawReceiver(t, bad.sendsGzipBomb);

  const attempt = await assertOneAttempt(t, `http://127.0.0.1:${receiver.port}/`, ok);

  t.like(attempt, { responseTruncated: true, responseHeaders: { 'content-encoding': 'gzip' } });
  t.true(attempt?.responseBody?.startsWith('\u001F\uFFFD\b'));
});

test('a body that breaks off is recorded as truncated', async (t) => {
  const receiver = await startRawReceiver(t, bad.closesInBody);

  const attempt = await assertOneAttempt(t, `http://127.0.0.1:${receiver.port}/`, ok);

  t.like(attempt, { responseBody: 'half', responseTruncated: true });
});

test('the connection to a receiver that sends the interim status 100 is reused, also with TLS', async (t) => {
  const receiver = await startRawReceiver(t, bad.continues, authority.issue('127.0.0.1'));
  const url = `https://127.0.0.1:${receiver.port}/`;

  await assertOneAttempt(t, url, ok);
  const attempt = await assertOneAttempt(t, url, ok);

  t.is(attempt?.responseBody, 'ok');
  t.is(receiver.requests, 2);
  t.is(receiver.connections, 1);
});

test('a redirect is not followed, not even to the same receiver', async (t) => {
  const receiver = await startRawReceiver(t, bad.redirects);

  await assertOneAttempt(t, `http://127.0.0.1:${receiver.port}/webhooks`, { error: null, statusCode: 307 });

  t.is(receiver.requests, 1);
});

test('a valid certificate is accepted', async (t) => {
  const receiver = await startRawReceiver(t, bad.answersOk, authority.issue('127.0.0.1'));

  await assertOneAttempt(t, `https://127.0.0.1:${receiver.port}/`, ok);
});

const somebody = createAuthority('Somebody');
const unknown = somebody.issue('127.0.0.1');
const own = authority.issue('127.0.0.1');

const wrongTls: [name: string, options: TlsOptions, sentence: string][] = [
  [
    'whose certificate is self-signed',
    selfSigned('127.0.0.1'),
    'The certificate of the receiver is self-signed: no authority has issued it.',
  ],
  [
    'that omits the certificate of its unknown authority',
    unknown,
    'The issuer of the receiver’s certificate is not known: the receiver does not send the whole chain, or the authority is not trusted.',
  ],
  [
    'that sends the certificate of its unknown authority',
    { ...unknown, cert: unknown.cert + somebody.cert },
    'The certificate of the receiver comes from an authority that is not trusted.',
  ],
  [
    'whose certificate is for another host',
    authority.issue('elsewhere.example'),
    'The certificate of the receiver is for another host name than the one in the address.',
  ],
  [
    'whose certificate has expired',
    authority.issue('127.0.0.1', { isExpired: true }),
    'The certificate of the receiver, or one above it in its chain, has expired.',
  ],
  [
    'that speaks TLS 1.1 only',
    { ...own, minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' },
    'The receiver and the sender have no version of TLS in common: at least TLS 1.2 is needed.',
  ],
  [
    'that has no cipher in common with the sender',
    { ...own, maxVersion: 'TLSv1.2', ciphers: 'ECDHE-RSA-AES128-GCM-SHA256' },
    'The receiver ended the TLS handshake: it accepts none of the offered ciphers, or it asks for a certificate of the sender.',
  ],
  [
    'that speaks HTTP/2 only',
    { ...own, ALPNProtocols: ['h2'] },
    'The receiver does not accept HTTP/1.1 over TLS, which every delivery uses.',
  ],
];

for (const [name, options, errorDetail] of wrongTls) {
  test(`a receiver ${name} gets no request, and the attempt records the reason`, async (t) => {
    const receiver = await startRawReceiver(t, bad.answersOk, options);
    const url = `https://127.0.0.1:${receiver.port}/`;

    const attempt = await assertOneAttempt(t, url, { error: 'tls_failed' });

    t.is(attempt?.errorDetail, errorDetail);
    t.is(receiver.requests, 0);
    const local = await postWebhook(url, { headers: {}, body: '{}' });
    t.like(local, { error: 'tls_failed', errorDetail }, 'the developer’s commands give the same reason');
  });
}

test('an https URL of a receiver without TLS causes a TLS error', async (t) => {
  const plain = await startReceiver();
  t.teardown(() => plain.stop());

  const attempt = await assertOneAttempt(t, plain.url.replace('http:', 'https:'), { error: 'tls_failed' });

  t.is(attempt?.errorDetail, 'The receiver does not speak TLS at this port.');
  t.is(plain.deliveries.length, 0);
});

test('a host name that does not exist causes a DNS error', async (t) => {
  await assertOneAttempt(t, 'http://nowhere.test/', { error: 'dns_failed' });
});

// The tests below depend on timing, so they run first and one after another.
test.serial(
  'names whose DNS servers never answer cause DNS errors, and do not delay deliveries to other names',
  async (t) => {
    const receiver = await startReceiver();
    t.teardown(() => receiver.stop());
    const silent = Array.from({ length: 8 }, (_, n) => `silent${n}.test`);
    for (const name of silent) nameServer.names.set(name, 'silence');
    nameServer.names.set('speaks.test', ['127.0.0.1']);
    let isOver = false;
    const slow = Promise.all(silent.map((name) => assertOneAttempt(t, `http://${name}/`, { error: 'dns_failed' })));
    const slowIsOver = slow.then(() => {
      isOver = true;
    });

    await assertOneAttempt(t, receiver.url.replace('127.0.0.1', 'speaks.test'), ok);

    t.false(isOver);
    await slowIsOver;
  },
);

test.serial('for a name with twenty addresses, the connection goes to the address that accepts it', async (t) => {
  const receiver = await startRawReceiver(t, bad.answersOk);
  nameServer.names.set(
    'twenty.test',
    Array.from({ length: 20 }, (_, n) => `127.0.0.${((n + 18) % 20) + 1}`),
  );

  await assertOneAttempt(t, `http://twenty.test:${receiver.port}/`, ok);

  t.is(receiver.connections, 1);
});

test.serial(
  'if a reused connection is reset before the first byte of the answer, the same attempt sends the request again',
  async (t) => {
    const receiver = await startRawReceiver(t, bad.dropsSecondRequest);
    const url = `http://127.0.0.1:${receiver.port}/`;

    await assertOneAttempt(t, url, ok);
    await assertOneAttempt(t, url, ok);

    t.is(receiver.requests, 3);
    t.is(receiver.connections, 2);
  },
);
