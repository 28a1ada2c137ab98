/**
 * The mock refuses requests with the same answers as the server. The tests send the same requests to both: a fifth of
 * those that `exhaustive/agreement.test.ts` sends. That of each operation begins at another one, so that each kind of
 * request is sent for some operations.
 */
import './unobserved.ts';
import { readContract } from '@tillhook/openapi';
import test from 'ava';
import { bothSidesForFile, disagreements } from './both-sides.ts';
import { differences } from './differences.ts';
import { refusedRequests } from './refused-requests.ts';

const bothSides = bothSidesForFile();
const operations = readContract().model.operations;

for (const [index, operation] of operations.entries()) {
  test.serial(`the mock refuses as the server does: ${operation.id}`, async (t) => {
    const fifth = refusedRequests(operation).filter((_, place) => place % 5 === index % 5);

    t.deepEqual(await disagreements(await bothSides(), fifth), []);
  });
}

test('every entry on the list of differences has the title of a tested request', (t) => {
  const titles = operations.flatMap(refusedRequests).map(({ title }) => title);
  t.deepEqual(
    Object.keys(differences).filter((title) => !titles.includes(title)),
    [],
  );
});
