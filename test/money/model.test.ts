/**
 * Choice: the ledger is checked once for each sequence, because the check takes more processor time than three steps.
 * Postings are permanent, so the check sees each posting. `exhaustive/model.test.ts` also checks after every step.
 */
import test from 'ava';
import { everything, hasEnvironment, runSequences } from '../support/money/model/sequences.ts';
import { serverWithContext } from '../support/server/tillhook.ts';

const server = serverWithContext({ ROLE: 'api' });

test.serial(
  'the ledger equals the model after every step of new random sequences, and keeps its invariants at the end',
  async (t) => {
    await runSequences(t, server(), { numRuns: 40 });
  },
);

// The environment has settings for the sequences if a person repeats a failure. Fixed sequences do not run then.
if (!hasEnvironment) {
  test.serial(
    'the ledger equals the model for fixed sequences that reach every status and every rare outcome',
    async (t) => {
      t.deepEqual(await runSequences(t, server(), { numRuns: 120, seed: 6 }), everything);
    },
  );
}
