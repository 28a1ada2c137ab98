import test from 'ava';
import { createFront } from '../../mock/src/front.ts';
import { type Change, changedContract } from '../support/calls/changed-contract.ts';

const json = ['content', 'application/json', 'examples'] as const;
const transfers = ['paths', '/api/v1/transfers', 'post'] as const;
const testEvent = ['webhooks', 'test.event', 'post', 'requestBody'] as const;

const broken: [place: string, change: Change, message: RegExp][] = [
  [
    'of a response',
    [[...transfers, 'responses', '201', ...json, 'withFee', 'value', 'amount'], '250000'],
    /createTransfer 201, example withFee: \/amount must be integer/,
  ],
  [
    'of a request',
    [[...transfers, 'requestBody', ...json, 'basic', 'value', 'colour'], 'red'],
    /createTransfer request, example basic: it must NOT have additional properties/,
  ],
  [
    'of a parameter',
    [['x-mock-examples', 'reference', 'notFound'], 'x'],
    /reference, example notFound: it must match pattern/,
  ],
  [
    'of a webhook',
    [[...testEvent, ...json, 'basic', 'value', 'timestamp'], 'now'],
    /test\.event, example basic: \/timestamp must match format "date-time"/,
  ],
];

for (const [place, change, message] of broken) {
  test(`does not start when an example ${place} breaks its schema, and names the example`, async (t) => {
    await t.throwsAsync(createFront(changedContract(change)), { message });
  });
}
