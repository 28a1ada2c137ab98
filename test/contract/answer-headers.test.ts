/** What the contract says about the headers of answers. `contract-fetch.ts` holds each answer of the tests against it. */
import { answerHeaderNames, readContract } from '@tillhook/openapi';
import test from 'ava';

const { model } = readContract();

test('every 503 says when to try again', (t) => {
  const unavailable = model.operations.map(({ id, answers }) => ({ id, headers: answers.get(503)?.headers }));
  t.true(unavailable.length > 60);

  const without = unavailable.filter(({ headers }) => !headers?.get('Retry-After')?.isRequired);
  t.deepEqual(without, []);
});

test('every answer may have the headers of the limits, because calls are counted before they are refused', (t) => {
  const answers = model.operations.flatMap((operation) =>
    [...operation.answers].map(([status, { headers }]) => ({ name: `${operation.id} ${status}`, headers })),
  );
  t.true(answers.length > 500);

  for (const header of ['RateLimit', 'RateLimit-Policy'])
    t.deepEqual(
      answers.filter(({ headers }) => !headers.has(header)).map(({ name }) => name),
      [],
    );
});

test('every list that can be had as CSV names its file', (t) => {
  const lists = model.operations.filter(({ success }) => success.csv !== null);
  t.is(lists.length, 4);

  t.deepEqual(
    lists.filter(({ success }) => !success.headers.has('Content-Disposition')),
    [],
  );
  t.true(answerHeaderNames(model).includes('Content-Disposition'));
});
