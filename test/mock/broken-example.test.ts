import { type ContractDocument, readContract } from '@tillhook/openapi';
import test from 'ava';
import { createFront } from '../../mock/src/front.ts';

const broken: [place: string, spoil: (document: ContractDocument) => void, message: RegExp][] = [
  [
    'of a response',
    ({ paths }) => {
      paths['/api/v1/transfers'].post.responses[201].content['application/json'].examples.withFee.value.amount =
        '250000';
    },
    /createTransfer 201, example withFee: \/amount must be integer/,
  ],
  [
    'of a request',
    ({ paths }) => {
      paths['/api/v1/transfers'].post.requestBody.content['application/json'].examples.basic.value.colour = 'red';
    },
    /createTransfer request, example basic: it must NOT have additional properties/,
  ],
  [
    'of a parameter',
    (document) => {
      document['x-mock-examples'].reference.notFound = 'x';
    },
    /reference, example notFound: it must match pattern/,
  ],
  [
    'of a webhook',
    ({ webhooks }) => {
      webhooks['test.event'].post.requestBody.content['application/json'].examples.basic.value.timestamp = 'now';
    },
    /test\.event, example basic: \/timestamp must match format "date-time"/,
  ],
];

for (const [place, spoil, message] of broken) {
  test(`does not start when an example ${place} breaks its schema, and says which`, async (t) => {
    const document = structuredClone(readContract().document);
    spoil(document);

    await t.throwsAsync(createFront(document), { message });
  });
}
