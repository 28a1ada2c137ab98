/** Every request that the mock must refuse as the server does, some three thousand. */
import '../mock/unobserved.ts';
import { readContract } from '@tillhook/openapi';
import test from 'ava';
import { bothSidesForFile, disagreements } from '../mock/both-sides.ts';
import { refusedRequests } from '../mock/refused-requests.ts';

const bothSides = bothSidesForFile();

for (const operation of readContract().model.operations) {
  test.serial(`the mock refuses as the server does: ${operation.id}`, async (t) => {
    t.deepEqual(await disagreements(await bothSides(), refusedRequests(operation)), []);
  });
}
