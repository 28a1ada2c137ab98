/** The one rule of the contract about the shapes of successful answers, for all operations that take an API key. */
import { type ModelOperation, readContract } from '@tillhook/openapi';
import test from 'ava';

const { description, operations } = readContract().model;
const forKeys = operations.filter(({ security }) => security.flat().includes('bearerAuth'));
const wrapped = ['createCheckout', 'removeWebhookEndpoint', 'sendTestEvent', 'resendDelivery', 'replayDeliveries'];

const fieldsOf = ({ success }: ModelOperation) => Object.entries(success.content?.schema.properties ?? {});
const namesOf = (operation: ModelOperation) => fieldsOf(operation).map(([name]) => name);

test('five operations wrap their answer in success, message and data, and the contract names them', (t) => {
  const found = forKeys.filter((operation) => namesOf(operation).includes('success'));

  t.deepEqual(found.map(({ id }) => id as string).sort(), wrapped.toSorted());
  for (const operation of found) t.deepEqual(namesOf(operation), ['success', 'message', 'data'], operation.id);
  const [, sentence = ''] = /answer `{success, message, data}`\s+instead: ([^.]+)\./.exec(description) ?? [];
  t.deepEqual(
    [...sentence.matchAll(/`(\w+)`/g)].map(([, id]) => id),
    wrapped,
  );
});

test('every list has its records and total, and nothing else has a total', (t) => {
  const lists = forKeys.filter(({ id }) => id.startsWith('list'));

  t.true(lists.length >= 8);
  for (const list of lists) {
    const [records, total, ...others] = fieldsOf(list);
    t.is(records?.[1].type, 'array', list.id);
    t.deepEqual([total?.[0], others], ['total', []], list.id);
  }
  const withTotal = forKeys.filter((operation) => namesOf(operation).includes('total'));
  t.deepEqual(withTotal, lists);
});
