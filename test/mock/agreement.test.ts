/** What the mock refuses, it refuses as the server does, to the word: the same requests are made of both. */
import './unobserved.ts';
import { readContract } from '@tillhook/openapi';
import test from 'ava';
import { bothSidesForFile, disagreements } from './both-sides.ts';
import { differences } from './differences.ts';
import { refusedRequests } from './refused-requests.ts';

const bothSides = bothSidesForFile();
const operations = readContract().model.operations;

for (const operation of operations) {
  test(`the mock refuses as the server does: ${operation.id}`, async (t) => {
    t.deepEqual(await disagreements(await bothSides(), refusedRequests(operation)), []);
  });
}

test('every difference on the list is of a refusal that is asked for', (t) => {
  const titles = operations.flatMap(refusedRequests).map(({ title }) => title);
  t.deepEqual(
    Object.keys(differences).filter((title) => !titles.includes(title)),
    [],
  );
});
