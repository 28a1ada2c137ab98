import { generateSecret } from '@tillhook/sdk';
import { sign, unwrap, verify, type WebhookEvent, WebhookVerificationError } from '@tillhook/sdk/webhooks';
import test from 'ava';
import { body, payload, refuses, secret } from '../support/receivers/signed-webhook.ts';

test('the SDK reads headers in every supported form', async (t) => {
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

test('the SDK reads the body as text, bytes, a part of a buffer and an ArrayBuffer', async (t) => {
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

test('the SDK parses the verified bytes, even if other code changes the buffer in the meantime', async (t) => {
  const bytes = new TextEncoder().encode(body);
  const headers = await sign(bytes, secret);

  const promise = unwrap(bytes, headers, secret);
  bytes.fill(0);

  t.deepEqual((await promise) as WebhookEvent, payload);
});

test('the SDK accepts a web Request', async (t) => {
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

test('the error explains why a parsed body cannot be verified', async (t) => {
  const headers = await sign(body, secret);

  for (const parsed of [payload, [payload], 7, { type: 'Buffer', data: [123] }, new ReadableStream()]) {
    await t.throwsAsync(unwrap(parsed as unknown as string, headers, secret), {
      instanceOf: TypeError,
      message: /body is parsed, and the signature covers the raw bytes/,
    });
  }
});

test('the error explains why a body is empty', async (t) => {
  const headers = await sign(body, secret);
  const message = /^This body is empty\. express\.raw\(\) skips other types.+express\.raw\(\{ type: "\*\/\*" \}\)/;
  const request = new Request('http://localhost/webhooks', { method: 'POST', headers });
  const fixed = { 'X-Service-Signature': headers['X-Service-Signature'] };

  // For a body that `express.raw()` skips, Express 5 gives undefined, and Express 4 an empty object.
  for (const skipped of [undefined, null, {}] as never[]) {
    await t.throwsAsync(unwrap(skipped, headers, secret), { instanceOf: TypeError, message });
  }
  for (const unwrapEmpty of [
    () => unwrap('', headers, secret),
    () => unwrap(Buffer.alloc(0), headers, secret),
    () => unwrap('', fixed, secret, { requireTimestamp: false }),
    () => unwrap(request, secret),
  ]) {
    const error = await t.throwsAsync(unwrapEmpty(), { instanceOf: WebhookVerificationError, message });
    t.is(error?.code, 'empty_body');
  }
});

test('the SDK refuses an invalid secret without quoting it', async (t) => {
  const headers = await sign(body, secret);

  for (const wrong of ['', 'whsec_', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_••••••••LaSw', 'whsec_%', undefined]) {
    const error = await t.throwsAsync(verify(body, headers, wrong as string), { instanceOf: TypeError });
    t.regex(error?.message ?? '', /^A webhook secret is whsec_ and base64/);
  }
  await t.throwsAsync(verify(body, headers, []), { instanceOf: TypeError, message: /no secret/ });
  const swapped = await t.throwsAsync(verify(body, secret as never, headers as never), { instanceOf: TypeError });
  t.false(swapped?.message.includes(secret));
});

test('the SDK accepts a large signed body', async (t) => {
  const large = JSON.stringify({ ...payload, padding: 'x'.repeat(10_000_000) });

  t.is((await unwrap(large, await sign(large, secret), secret)).event, 'checkout.success');
});
