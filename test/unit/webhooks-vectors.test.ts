import { generateSecret } from '@tillhook/sdk';
import { sign, type VerificationFailure, verify, WebhookVerificationError } from '@tillhook/sdk/webhooks';
import test from 'ava';
import { rotations, vectors } from '../support/receivers/signature-vectors.ts';

const verificationError = (code: VerificationFailure) => ({ instanceOf: WebhookVerificationError, code });
const anyAge = { toleranceSeconds: Number.POSITIVE_INFINITY };

for (const { title, expected, ...vector } of vectors) {
  test(`the SDK signs as in the vector: ${title}`, async (t) => {
    t.like(await sign(vector.body, vector.secret, vector), {
      ...expected,
      'webhook-id': vector.id,
      'webhook-timestamp': String(vector.timestamp),
    });
  });

  test(`the SDK accepts each single signature of the vector: ${title}`, async (t) => {
    const service = { 'X-Service-Signature': expected['X-Service-Signature'] };
    const standard = {
      'webhook-id': vector.id,
      'webhook-timestamp': String(vector.timestamp),
      'webhook-signature': expected['webhook-signature'],
    };

    await t.notThrowsAsync(verify(vector.body, service, vector.secret, { requireTimestamp: false }));
    await t.notThrowsAsync(verify(vector.body, standard, vector.secret, anyAge));
    await t.throwsAsync(verify(vector.body, standard, vector.secret), verificationError('timestamp_out_of_tolerance'));
  });
}

for (const { title, secrets, id, timestamp, body, expected } of rotations) {
  test(`the SDK accepts a webhook of a rotation with the old or the new secret alone: ${title}`, async (t) => {
    const { 'webhook-signature': signature } = expected;
    const headers = { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signature };

    for (const one of [secrets.own, ...secrets.others]) await t.notThrowsAsync(verify(body, headers, one, anyAge));
    await t.throwsAsync(verify(body, headers, generateSecret(), anyAge), verificationError('wrong_signature'));
  });
}
