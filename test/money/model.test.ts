/**
 * Random sequences of steps change a merchant's money. After every step the ledger must keep its invariants and equal a
 * model in memory. A failure prints the shortest failing sequence with its seed, its path and the replayPath of its
 * commands. To run that sequence again, set MODEL_SEED, MODEL_PATH and MODEL_REPLAY. MODEL_RUNS is the number of
 * sequences.
 */
import test from 'ava';
import fc from 'fast-check';
import { ledgerBreaches } from '../support/money/ledger.ts';
import { serverForFile } from '../support/server/tillhook.ts';
import { attemptSteps } from './model/attempt-steps.ts';
import type { RareOutcome } from './model/model.ts';
import { endSteps, paymentSteps, startCheckout } from './model/payment-steps.ts';
import { payFirst, refundSteps } from './model/refund-steps.ts';
import { rarePaths } from './model/seldom.ts';
import type { Step } from './model/step.ts';
import { chargeFee, fundWallet, topUp, transferSteps } from './model/transfer-steps.ts';
import { newWorld } from './model/world.ts';

const server = serverForFile({ ROLE: 'api' });

const { MODEL_SEED, MODEL_PATH, MODEL_REPLAY, MODEL_RUNS } = process.env;
const enoughRuns = 1000;
const runs = {
  numRuns: Number(MODEL_RUNS ?? enoughRuns),
  // Without a bias to short sequences, because little happens in them.
  unbiased: true,
  includeErrorInReport: true,
  ...(MODEL_SEED && { seed: Number(MODEL_SEED) }),
  ...(MODEL_PATH && { path: MODEL_PATH, endOnFailure: true }),
};

test('after every step of 1,000 random sequences the ledger keeps its invariants and equals the model', async (t) => {
  t.timeout(300_000);
  let steps = 0;
  const rareOutcomes = new Map<RareOutcome, number>();
  const reached = { payments: new Set<string>(), transfers: new Set<string>(), refunds: new Set<string>() };

  await fc.assert(
    fc.asyncProperty(sequence, async ({ opening, others }) => {
      const { model, real } = await newWorld(server());
      for (const step of opening) await step.run(model, real);
      await fc.asyncModelRun(() => ({ model, real }), others);
      steps += real.steps;
      for (const { status } of model.payments) reached.payments.add(status);
      for (const { status } of model.transfers) reached.transfers.add(status);
      for (const { status } of model.refunds) reached.refunds.add(status);
      for (const outcome of model.rareOutcomes) rareOutcomes.set(outcome, (rareOutcomes.get(outcome) ?? 0) + 1);
    }),
    runs,
  );

  t.log(`${steps} steps`, Object.fromEntries(rareOutcomes));
  t.deepEqual(await ledgerBreaches(server()), []);
  if (runs.numRuns < enoughRuns || MODEL_PATH) return;
  t.deepEqual([...reached.payments].sort(), everyPaymentStatus);
  t.deepEqual([...reached.transfers].sort(), everyTransferStatus);
  t.deepEqual([...reached.refunds].sort(), everyRefundStatus);
  t.deepEqual([...rareOutcomes.keys()].sort(), everyRareOutcome);
});

/** Each sequence begins with a payment or with money to spend, so that most steps have something to act on. */
const sequence = fc.oneof(
  fc.record({
    opening: fc.tuple(startCheckout, fundWallet, chargeFee),
    others: atMostSix([...paymentSteps, ...attemptSteps, ...transferSteps]),
  }),
  fc.record({
    opening: fc.tuple(startCheckout, fc.constantFrom(...rarePaths)).map(([start, way]) => [start, ...way]),
    others: atMostSix([...attemptSteps, ...endSteps]),
  }),
  fc.record({ opening: fc.tuple(fundWallet, chargeFee), others: atMostSix(transferSteps) }),
  // Two of five sequences refund. Top-ups take the money that refunds need.
  ...Array.from({ length: 2 }, () =>
    fc.record({
      opening: startCheckout.map((start) => [start, payFirst]),
      others: atMostSix([...refundSteps, ...refundSteps, topUp, ...attemptSteps]),
    }),
  ),
);

function atMostSix(steps: fc.Arbitrary<Step>[]) {
  return fc.commands(steps, { maxCommands: 6, size: 'max', ...(MODEL_REPLAY && { replayPath: MODEL_REPLAY }) });
}

/** All statuses must occur, because sequences that never reach one prove nothing about it. */
const everyPaymentStatus = ['completed', 'expired', 'failed', 'pending', 'processing'];
const everyRefundStatus = ['completed', 'failed', 'pending', 'processing'];
const everyTransferStatus = ['completed', 'failed', 'pending', 'processing', 'reversed'];

const everyRareOutcome: RareOutcome[] = [
  'came back',
  'paid after it had expired',
  'paid after it had failed',
  'paid otherwise',
  'paid twice',
  'resolved as completed',
  'resolved as failed',
  'third decline',
];
