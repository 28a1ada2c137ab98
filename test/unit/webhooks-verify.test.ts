import { createHmac } from 'node:crypto';
import { generateSecret } from '@tillhook/sdk';
import {
  sign,
  unwrap,
  type VerificationFailure,
  verify,
  type WebhookEvent,
  WebhookVerificationError,
} from '@tillhook/sdk/webhooks';
import test, { type ExecutionContext } from 'ava';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const anyAge = { toleranceSeconds: Number.POSITIVE_INFINITY };
const payload: WebhookEvent = {
  event: 'checkout.success',
  data: {
    reference: 'order-1042',
    amount: 1999,
    currency: 'USD',
    status: 'completed',
    customerEmail: 'zoë@example.com',
  },
  timestamp: '2026-11-21T10:15:30.000Z',
  webhookId: '019aa3c4-9d1e-7c52-8f3a-1b2c3d4e5f60',
};
const body = JSON.stringify(payload);

async function refuses(
  t: ExecutionContext,
  delivery: Parameters<typeof verify>,
  code: VerificationFailure,
): Promise<void> {
  const error = await t.throwsAsync(verify(...delivery), { instanceOf: WebhookVerificationError });
  t.is(error?.code, code);
}

test('gives the event that was signed', async (t) => {
  const event = await unwrap(body, await sign(body, secret), secret);

  t.deepEqual(event as WebhookEvent, payload);
  if (event.event !== 'checkout.success') return t.fail();
  // It compiles because the name narrows the union: `customerEmail` is a checkout's only.
  t.is(event.data.customerEmail, 'zoë@example.com');
});

test('gives an event of a newer server as it is', async (t) => {
  const newer = '{"event":"refund.success","data":{"reference":"r-1"},"timestamp":"t","webhookId":"w"}';

  const event = await unwrap(newer, await sign(newer, secret), secret);

  t.is(String(event.event), 'refund.success');
  t.deepEqual(event.data as unknown, { reference: 'r-1' });
});

test('refuses a body that was changed by one byte', async (t) => {
  const headers = await sign(body, secret);
  const service = { 'x-service-signature': headers['X-Service-Signature'] };

  for (const changed of [body.replace('1999', '1998'), `${body} `, body.slice(0, -1), '']) {
    await refuses(t, [changed, headers, secret], 'wrong_signature');
    await refuses(t, [changed, service, secret], 'wrong_signature');
  }
});

test('refuses the signature of another secret', async (t) => {
  const { 'X-Service-Signature': signature, ...standard } = await sign(body, generateSecret());

  await refuses(t, [body, standard, secret], 'wrong_signature');
  await refuses(t, [body, { 'X-Service-Signature': signature }, secret], 'wrong_signature');
});

test('refuses a changed id or timestamp', async (t) => {
  const headers = await sign(body, secret, { id: 'event-1' });
  const later = String(Number(headers['webhook-timestamp']) + 1);

  await refuses(t, [body, { ...headers, 'webhook-id': 'event-2' }, secret], 'wrong_signature');
  await refuses(t, [body, { ...headers, 'webhook-timestamp': later }, secret], 'wrong_signature');
});

test('accepts any of several secrets and any signature of the list', async (t) => {
  const old = generateSecret();
  const [byOld, byNew] = [
    await sign(body, old, { id: 'e', timestamp: 1 }),
    await sign(body, secret, { id: 'e', timestamp: 1 }),
  ];
  const both = {
    ...byOld,
    'webhook-signature': `v1a,AAAA ${byOld['webhook-signature']} ${byNew['webhook-signature']}`,
  };

  await t.notThrowsAsync(verify(body, byOld, [secret, old], anyAge));
  await t.notThrowsAsync(verify(body, { 'X-Service-Signature': byOld['X-Service-Signature'] }, [secret, old]));
  await t.notThrowsAsync(verify(body, both, secret, anyAge));
  await t.notThrowsAsync(verify(body, both, old, anyAge));
  await refuses(t, [body, both, generateSecret(), anyAge], 'wrong_signature');
});

test('refuses a timestamp too old or too far ahead, and takes the tolerance at its word', async (t) => {
  const now = Math.floor(Date.now() / 1000);
  const signedAt = (timestamp: number) => sign(body, secret, { timestamp });

  await t.notThrowsAsync(verify(body, await signedAt(now - 200), secret));
  await t.notThrowsAsync(verify(body, await signedAt(now + 200), secret));
  await refuses(t, [body, await signedAt(now - 400), secret], 'timestamp_out_of_tolerance');
  await refuses(t, [body, await signedAt(now + 400), secret], 'timestamp_out_of_tolerance');
  await t.notThrowsAsync(verify(body, await signedAt(now - 400), secret, { toleranceSeconds: 3600 }));
  await refuses(t, [body, await signedAt(now), secret, { toleranceSeconds: Number.NaN }], 'timestamp_out_of_tolerance');
  await refuses(t, [body, await signedAt(now + 0.5), secret], 'timestamp_out_of_tolerance');
});

test('refuses a wrong webhook-signature even when X-Service-Signature is right', async (t) => {
  const headers = await sign(body, secret);

  for (const wrong of ['', 'v1,', 'v1,%%%', 'v2,AAAA', headers['webhook-signature'].slice(3)]) {
    await refuses(t, [body, { ...headers, 'webhook-signature': wrong }, secret], 'wrong_signature');
  }
});

test('refuses missing headers', async (t) => {
  const headers = await sign(body, secret);

  await refuses(t, [body, {}, secret], 'missing_headers');
  await refuses(t, [body, { ...headers, 'webhook-id': undefined }, secret], 'missing_headers');
  await refuses(t, [body, { ...headers, 'webhook-timestamp': undefined }, secret], 'missing_headers');
});

test('refuses an X-Service-Signature that is no hex of the right length', async (t) => {
  for (const wrong of ['', 'zz'.repeat(32), '00', '00'.repeat(33)]) {
    await refuses(t, [body, { 'x-service-signature': wrong }, secret], 'wrong_signature');
  }
});

test('reads headers in every shape', async (t) => {
  const headers = await sign(body, secret);
  const pairs = Object.entries(headers);
  const shapes = [
    headers,
    Object.fromEntries(pairs.map(([name, value]) => [name.toUpperCase(), value])),
    Object.fromEntries(pairs.map(([name, value]) => [name.toLowerCase(), [value]])),
    new Headers(headers),
    new Map(pairs),
    pairs,
  ];

  for (const shape of shapes) await t.notThrowsAsync(verify(body, shape, secret));
  for (const shape of shapes) await refuses(t, [`${body}!`, shape, secret], 'wrong_signature');
});

test('reads the body as text, bytes, a part of a buffer and an ArrayBuffer', async (t) => {
  const headers = await sign(body, secret);
  const bytes = new TextEncoder().encode(body);
  const padded = Buffer.concat([Buffer.from('<<'), bytes, Buffer.from('>>')]);

  for (const raw of [
    body,
    bytes,
    bytes.buffer,
    Buffer.from(body),
    padded.subarray(2, -2),
    new DataView(bytes.buffer),
  ]) {
    t.deepEqual((await unwrap(raw, headers, secret)) as WebhookEvent, payload);
  }
});

test('parses the bytes it verified, whatever happens to them meanwhile', async (t) => {
  const bytes = new TextEncoder().encode(body);
  const headers = await sign(bytes, secret);

  const promise = unwrap(bytes, headers, secret);
  bytes.fill(0);

  t.deepEqual((await promise) as WebhookEvent, payload);
});

test('takes a web Request', async (t) => {
  const request = new Request('http://localhost/webhooks', { method: 'POST', body, headers: await sign(body, secret) });
  const forged = new Request('http://localhost/webhooks', {
    method: 'POST',
    body,
    headers: await sign(body, generateSecret()),
  });

  t.deepEqual((await unwrap(request, [generateSecret(), secret])) as WebhookEvent, payload);
  await refuses(t, [forged, secret], 'wrong_signature');
  await t.throwsAsync(unwrap(request, secret), { instanceOf: TypeError, message: /read already/ });
});

test('says why a parsed body cannot be verified', async (t) => {
  const headers = await sign(body, secret);

  for (const parsed of [payload, [payload], 7, null, undefined, { type: 'Buffer', data: [123] }]) {
    await t.throwsAsync(unwrap(parsed as unknown as string, headers, secret), {
      instanceOf: TypeError,
      message: /raw bytes of its body, and this is a parsed one/,
    });
  }
});

test('refuses what is no secret without quoting it', async (t) => {
  const headers = await sign(body, secret);

  for (const wrong of ['', 'whsec_', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_••••••••LaSw', 'whsec_%', undefined]) {
    const error = await t.throwsAsync(verify(body, headers, wrong as string), { instanceOf: TypeError });
    t.regex(error?.message ?? '', /^A webhook secret is whsec_ and base64/);
  }
  await t.throwsAsync(verify(body, headers, []), { instanceOf: TypeError, message: /no webhook secret/ });
  const swapped = await t.throwsAsync(verify(body, secret as never, headers as never), { instanceOf: TypeError });
  t.false(swapped?.message.includes(secret));
});

test('refuses a signed body that is no event', async (t) => {
  for (const odd of ['', 'null', '[]', '{"event":7}', 'event']) {
    const promise = unwrap(odd, await sign(odd, secret), secret);
    const error = await t.throwsAsync(promise, { instanceOf: WebhookVerificationError });
    t.is(error?.code, 'invalid_body');
  }
});

test('agrees with node:crypto on a random body', async (t) => {
  const random = crypto.getRandomValues(new Uint8Array(1000));

  const headers = await sign(random, secret, { id: 'event-1', timestamp: 1763720130 });

  const content = Buffer.concat([Buffer.from('event-1.1763720130.'), random]);
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  t.is(headers['X-Service-Signature'], createHmac('sha256', secret).update(random).digest('hex'));
  t.is(headers['webhook-signature'], `v1,${createHmac('sha256', key).update(content).digest('base64')}`);
});
