import { deliveryRequest } from '@tillhook/server/src/wire/delivery-request.ts';
import { readSigningKey, serviceSignature, standardSignature } from '@tillhook/server/src/wire/signature.ts';
import test from 'ava';
import { rotations, vectors } from '../support/receivers/signature-vectors.ts';

test('the file of test vectors is not empty', (t) => {
  t.true(vectors.length >= 5);
  t.true(rotations.length >= 3);
});

for (const { title, secret, id, timestamp, body, expected } of vectors) {
  test(`the signatures of ${title} equal the signatures of the test vector`, (t) => {
    const bytes = Buffer.from(body);
    const key = readSigningKey(secret);

    t.is(serviceSignature(bytes, key), expected['X-Service-Signature']);
    t.is(standardSignature({ id, timestamp, body: bytes }, key), expected['webhook-signature']);
  });
}

for (const { title, secrets, id, timestamp, body, expected } of rotations) {
  test(`during a rotation, the signatures equal the signatures of the test vector: ${title}`, (t) => {
    const { webhookId: endpointId, event: eventName } = JSON.parse(body);
    // The body of a delivery is the stored text of the event, with the endpoint's id and `"}` appended.
    const eventBody = body.slice(0, -`${endpointId}"}`.length);
    const values = { id: 'delivery-1', eventId: id, eventName, eventBody, endpointId, attempt: 1 };

    const keys = { own: readSigningKey(secrets.own), others: secrets.others.map(readSigningKey) };
    const { headers, body: sent } = deliveryRequest(values, keys, new Date(timestamp * 1000));

    t.is(String(sent), body);
    for (const [name, value] of Object.entries(expected)) t.is(headers[headers.indexOf(name) + 1], value);
  });
}

test('a body that is not UTF-8 can be signed', (t) => {
  const key = readSigningKey('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');

  t.not(serviceSignature(Buffer.from([0xff]), key), serviceSignature(Buffer.from([0xfe]), key));
});
