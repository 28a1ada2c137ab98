/** Sequences that are the same in each run and reach everything, and some that are new in each run. */
import test from 'ava';
import { everything, isAsked, runSequences } from '../support/money/model/sequences.ts';
import { serverWithContext } from '../support/server/tillhook.ts';

const server = serverWithContext({ ROLE: 'api' });

test.serial(
  'after every step of new random sequences the ledger keeps its invariants and equals the model',
  async (t) => {
    await runSequences(t, server(), { numRuns: 40 });
  },
);

// A person who repeats a failure, or lets it run overnight, wants no other sequences.
if (!isAsked) {
  test.serial('the same holds for sequences that reach every status and every rare outcome', async (t) => {
    t.deepEqual(await runSequences(t, server(), { numRuns: 120, seed: 6 }), everything);
  });
}
