/**
 * Sequences that are the same in each run and reach everything, and some that are new in each run.
 * Choice: the ledger is checked once for each sequence, because the check takes more processor time than three steps.
 * What is posted stays, so the check sees each posting, and balances, statuses and events are compared after every step.
 * `exhaustive/model.test.ts` checks the ledger after every step too.
 */
import test from 'ava';
import { everything, hasEnvironment, runSequences } from '../support/money/model/sequences.ts';
import { serverWithContext } from '../support/server/tillhook.ts';

const server = serverWithContext({ ROLE: 'api' });

test.serial(
  'after every step of new random sequences the books equal the model, and at their end the ledger keeps its invariants',
  async (t) => {
    await runSequences(t, server(), { numRuns: 40 });
  },
);

// A person who repeats a failure, or lets it run overnight, wants no other sequences.
if (!hasEnvironment) {
  test.serial('the same holds for sequences that reach every status and every rare outcome', async (t) => {
    t.deepEqual(await runSequences(t, server(), { numRuns: 120, seed: 6 }), everything);
  });
}
