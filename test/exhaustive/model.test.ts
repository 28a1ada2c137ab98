/** A thousand new random sequences of steps that change money, compared with the model after every step. */
import test from 'ava';
import { everything, runSequences } from '../support/money/model/sequences.ts';
import { serverWithContext } from '../support/server/tillhook.ts';

const server = serverWithContext({ ROLE: 'api' });

test('after every step of 1,000 random sequences the ledger keeps its invariants and equals the model', async (t) => {
  t.timeout(300_000);
  t.deepEqual(await runSequences(t, server(), { numRuns: 1000 }), everything);
});
