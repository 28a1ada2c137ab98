import { generateSecret } from '@tillhook/sdk';
import test from 'ava';
import { Webhook } from 'standardwebhooks';
import { rotations, vectors } from '../support/receivers/signature-vectors.ts';

// The verifier of this package rejects old timestamps, and the vectors are old, so the tests compare signatures.

const signatureBy = (secret: string, { id, timestamp, body }: { id: string; timestamp: number; body: string }) =>
  new Webhook(secret).sign(id, new Date(timestamp * 1000), body);

for (const { title, secret, expected, ...signed } of vectors) {
  test(`the standardwebhooks package signs ${title} as the vector says`, (t) => {
    t.is(signatureBy(secret, signed), expected['webhook-signature']);
  });
}

for (const { title, secrets, expected, ...signed } of rotations) {
  test(`the standardwebhooks package finds the signature of each secret of a rotation: ${title}`, (t) => {
    const accepted = [secrets.own, ...secrets.others].map((secret) => signatureBy(secret, signed));

    t.deepEqual(accepted, expected['webhook-signature'].split(' '));
    t.false(accepted.includes(signatureBy(generateSecret(), signed)));
  });
}
