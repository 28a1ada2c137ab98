/** Compares the service with the model of money after every step of three hundred new random sequences. */
import test from 'ava';
import { runSequences } from '../support/money/model/sequences.ts';
import { serverWithContext } from '../support/server/tillhook.ts';

const server = serverWithContext({ ROLE: 'api' });

// Choice: 300 sequences, because the checks of each take a third of a second. `MODEL_RUNS` sets another number.
test('after every step of 300 random sequences the ledger keeps its invariants and equals the model', async (t) => {
  t.timeout(600_000);
  await runSequences(t, server(), { numRuns: 300, checksEachStep: true });
});
