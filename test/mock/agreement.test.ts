/** The mock refuses requests with the same answers as the server. The tests send the same requests to both. */
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

test('every entry on the list of differences has the title of a tested request', (t) => {
  const titles = operations.flatMap(refusedRequests).map(({ title }) => title);
  t.deepEqual(
    Object.keys(differences).filter((title) => !titles.includes(title)),
    [],
  );
});
