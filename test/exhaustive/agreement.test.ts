/** Compares mock and server in about 2,500 example responses and invalid requests that npm test leaves out. */
import '../mock/unobserved.ts';
import { readContract } from '@tillhook/openapi';
import test from 'ava';
import { bothSidesForFile, disagreements } from '../mock/both-sides.ts';
import { testPreferredAnswers } from '../mock/every-answer.ts';
import { partOf } from '../mock/refused-requests.ts';

const bothSides = bothSidesForFile();

for (const [index, operation] of readContract().model.operations.entries()) {
  test.serial(`mock and server give the same answers to invalid requests: ${operation.id}`, async (t) => {
    t.deepEqual(await disagreements(await bothSides(), partOf(operation, index, 'the others')), []);
  });
}

testPreferredAnswers('the other examples');
