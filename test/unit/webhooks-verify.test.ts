import { createHmac } from 'node:crypto';
import { generateSecret } from '@tillhook/sdk';
import {
  sign,
  unwrap,
  type VerifyOptions,
  verify,
  type WebhookEvent,
  WebhookVerificationError,
} from '@tillhook/sdk/webhooks';
import test from 'ava';
import { body, payload, refuses, secret } from '../support/receivers/signed-webhook.ts';

const anyAge = { toleranceSeconds: Number.POSITIVE_INFINITY };
/** Options for a receiver that gets only the four headers of the interface document, without `webhook-timestamp`. */
const timeless = { requireTimestamp: false };

test('unwrap returns the signed event', async (t) => {
  const event = await unwrap(body, await sign(body, secret), secret);

  t.deepEqual(event as WebhookEvent, payload);
  if (event.event !== 'checkout.success') return t.fail();
  // This line compiles because the name narrows the union: only a checkout has `customerEmail`.
  t.is(event.data.customerEmail, 'zoë@example.com');
});

test('unwrap returns an event of a newer server unchanged', async (t) => {
  const newer = '{"event":"refund.success","data":{"reference":"r-1"},"timestamp":"t","webhookId":"w"}';

  const event = await unwrap(newer, await sign(newer, secret), secret);

  if (event.event !== 'refund.success') return t.fail();
  t.deepEqual(event.data, { reference: 'r-1' });
});

test('unwrap refuses a body that was changed by one byte', async (t) => {
  const headers = await sign(body, secret);
  const service = { 'x-service-signature': headers['X-Service-Signature'] };

  for (const changed of [body.replace('1999', '1998'), `${body} `, body.slice(0, -1)]) {
    await refuses(t, [changed, headers, secret], 'wrong_signature');
    await refuses(t, [changed, service, secret, timeless], 'wrong_signature');
  }
});

test('unwrap refuses the signature of another secret', async (t) => {
  const { 'X-Service-Signature': signature, ...standard } = await sign(body, generateSecret());

  await refuses(t, [body, standard, secret], 'wrong_signature');
  await refuses(t, [body, { 'X-Service-Signature': signature }, secret, timeless], 'wrong_signature');
});

test('unwrap refuses a changed id or timestamp', async (t) => {
  const headers = await sign(body, secret, { id: 'event-1' });
  const later = String(Number(headers['webhook-timestamp']) + 1);

  await refuses(t, [body, { ...headers, 'webhook-id': 'event-2' }, secret], 'wrong_signature');
  await refuses(t, [body, { ...headers, 'webhook-timestamp': later }, secret], 'wrong_signature');
});

test('unwrap accepts a webhook if any of the given secrets matches any signature in the webhook-signature header', async (t) => {
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
  await t.notThrowsAsync(
    verify(body, { 'X-Service-Signature': byOld['X-Service-Signature'] }, [secret, old], timeless),
  );
  await t.notThrowsAsync(verify(body, both, secret, anyAge));
  await t.notThrowsAsync(verify(body, both, old, anyAge));
  await refuses(t, [body, both, generateSecret(), anyAge], 'wrong_signature');
});

test('unwrap refuses a timestamp that is more than the tolerance in the past or in the future', async (t) => {
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

test('unwrap refuses a wrong webhook-signature even when X-Service-Signature is right', async (t) => {
  const headers = await sign(body, secret);

  for (const wrong of ['', 'v1,', 'v1,%%%', 'v2,AAAA', headers['webhook-signature'].slice(3)]) {
    await refuses(t, [body, { ...headers, 'webhook-signature': wrong }, secret], 'wrong_signature');
  }
});

const signed = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

for (const stripped of [signed, ...signed.map((name) => [name]), [...signed, 'X-Service-Signature']]) {
  test(`unwrap refuses a webhook without ${stripped.join(', ')}, with a message that says what to do`, async (t) => {
    const headers = await sign(body, secret);
    const left = Object.fromEntries(Object.entries(headers).filter(([name]) => !stripped.includes(name as never)));

    for (const options of [undefined, {}, { requireTimestamp: undefined }, { requireTimestamp: true }, anyAge]) {
      const refused = unwrap(body, left, secret, options as VerifyOptions);
      const error = await t.throwsAsync(refused, { instanceOf: WebhookVerificationError });
      t.is(error?.code, 'missing_headers');
      t.regex(error?.message ?? '', /pass all headers as received.*requireTimestamp: false/);
    }
  });
}

test('unwrap accepts a webhook without webhook-timestamp only with requireTimestamp: false, and only if webhook-signature is missing', async (t) => {
  const headers = await sign(body, secret);
  const fixed = { 'x-service-signature': headers['X-Service-Signature'] };
  const { 'webhook-id': _id, ...withoutId } = headers;
  const { 'webhook-timestamp': _time, ...withoutTime } = headers;
  const old = await sign(body, secret, { timestamp: 1 });

  t.deepEqual((await unwrap(body, fixed, secret, timeless)) as WebhookEvent, payload);
  await refuses(t, [body, {}, secret, timeless], 'missing_headers');
  await refuses(t, [body, withoutId, secret, timeless], 'missing_headers');
  await refuses(t, [body, withoutTime, secret, timeless], 'missing_headers');
  await refuses(t, [body, old, secret, timeless], 'timestamp_out_of_tolerance');
  await refuses(t, [body, { ...headers, 'webhook-signature': 'v1,AAAA' }, secret, timeless], 'wrong_signature');
});

test('unwrap refuses an X-Service-Signature that is not hexadecimal of the right length', async (t) => {
  for (const wrong of ['', 'zz'.repeat(32), '00', '00'.repeat(33)]) {
    await refuses(t, [body, { 'x-service-signature': wrong }, secret, timeless], 'wrong_signature');
  }
});

test('unwrap refuses a signed body that is not an event', async (t) => {
  for (const odd of ['', 'null', '[]', '{"event":7}', 'event']) {
    const promise = unwrap(odd, await sign(odd, secret), secret);
    const error = await t.throwsAsync(promise, { instanceOf: WebhookVerificationError });
    t.is(error?.code, 'invalid_body');
  }
});

for (const [what, changed] of [
  ['parsed and serialised again', JSON.stringify(payload, null, 2)],
  ['with its keys in another order', JSON.stringify(Object.fromEntries(Object.entries(payload).reverse()))],
  ['in another encoding', Buffer.from(body, 'latin1')],
  ['in UTF-16', Buffer.from(body, 'utf16le')],
  ['behind a byte order mark', `\ufeff${body}`],
  ['of 30 MB', `${body}${' '.repeat(30_000_000)}`],
] as const) {
  test(`unwrap refuses a body ${what}`, async (t) => {
    await refuses(t, [changed, await sign(body, secret), secret], 'wrong_signature');
  });
}

test('unwrap refuses a signed empty body', async (t) => {
  await t.throwsAsync(unwrap('', await sign('', secret), secret), { instanceOf: WebhookVerificationError });
});

test('with many secrets, unwrap accepts a webhook only with the secret that signed it', async (t) => {
  const secrets = Array.from({ length: 120 }, generateSecret);

  for (const own of secrets) await verify(body, await sign(body, own), own);

  await refuses(t, [body, await sign(body, secrets[0] ?? ''), secrets[1] ?? ''], 'wrong_signature');
});

test('unwrap reads the payment, transfer or refund only if a client is given', async (t) => {
  const calls: string[] = [];
  const record = (kind: string) => ({
    get: async (reference: string) => {
      calls.push(`${kind} ${reference}`);
      return { reference, metadata: { cartId: '7' } } as never;
    },
  });
  const expand = { payments: record('payment'), transfers: record('transfer'), refunds: record('refund') };
  const unwrapped = async (event: string) => {
    const text = JSON.stringify({ ...payload, event });
    return unwrap(text, await sign(text, secret), secret, { expand });
  };

  const checkout = await unwrapped('checkout.failed');
  const expired = await unwrapped('checkout.expired');
  const transfer = await unwrapped('transfer.success');
  const refund = await unwrapped('refund.failed');
  const sample = await unwrapped('test.event');
  const unknown = await unwrapped('refund.disputed');
  const disputed = await unwrapped('checkout.disputed');

  t.is(checkout.event === 'checkout.failed' && checkout.payment.metadata.cartId, '7');
  t.is(expired.event === 'checkout.expired' && expired.payment.metadata.cartId, '7');
  t.is(transfer.event === 'transfer.success' && transfer.transfer.reference, 'order-1042');
  t.is(refund.event === 'refund.failed' && refund.refund.reference, 'order-1042');
  t.deepEqual(
    [sample.event, unknown.event as string, disputed.event as string],
    ['test.event', 'refund.disputed', 'checkout.disputed'],
  );
  t.deepEqual(calls, ['payment order-1042', 'payment order-1042', 'transfer order-1042', 'refund order-1042']);
});

test('unwrap agrees with node:crypto on a random body', async (t) => {
  const random = crypto.getRandomValues(new Uint8Array(1000));

  const headers = await sign(random, secret, { id: 'event-1', timestamp: 1763720130 });

  const content = Buffer.concat([Buffer.from('event-1.1763720130.'), random]);
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  t.is(headers['X-Service-Signature'], createHmac('sha256', secret).update(random).digest('hex'));
  t.is(headers['webhook-signature'], `v1,${createHmac('sha256', key).update(content).digest('base64')}`);
});
