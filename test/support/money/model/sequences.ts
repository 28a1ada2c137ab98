/**
 * After every random step, the merchant's money in the database must match a model in memory. A failure prints the
 * shortest failing sequence with its seed, its path and its replayPath. To run this sequence again, set MODEL_SEED,
 * MODEL_PATH and MODEL_REPLAY.
 */
import type { ExecutionContext } from 'ava';
import fc from 'fast-check';
import type { ServerWithContext } from '../../server/tillhook.ts';
import { ledgerBreaches } from '../ledger.ts';
import { attemptSteps, comeBack, pay, resolve, settle, submit } from './attempt-steps.ts';
import type { RareOutcome } from './model.ts';
import { endSteps, expireAfter, paymentSteps, startCheckout } from './payment-steps.ts';
import { payFirst, refundSteps } from './refund-steps.ts';
import type { Step } from './step.ts';
import { chargeFee, fundWallet, topUp, transferSteps } from './transfer-steps.ts';
import { assertNoBreaches, newWorld } from './world.ts';

const { MODEL_SEED, MODEL_PATH, MODEL_REPLAY, MODEL_RUNS } = process.env;
const fromEnvironment = {
  ...(MODEL_RUNS && { numRuns: Number(MODEL_RUNS) }),
  ...(MODEL_SEED && { seed: Number(MODEL_SEED) }),
  ...(MODEL_PATH && { path: MODEL_PATH, endOnFailure: true }),
};

export const hasEnvironment = Object.keys(fromEnvironment).length > 0;

/** A seed always gives the same sequences. */
export async function runSequences(
  t: ExecutionContext,
  server: ServerWithContext,
  { checksEachStep = hasEnvironment, ...usual }: { numRuns: number; seed?: number; checksEachStep?: boolean },
) {
  // Without `unbiased`, most sequences would be short, and little happens in a short sequence.
  const runs = { unbiased: true, includeErrorInReport: true, ...usual, ...fromEnvironment };
  let steps = 0;
  const rareOutcomes = new Map<RareOutcome, number>();
  const reached = { payments: new Set<string>(), transfers: new Set<string>(), refunds: new Set<string>() };

  await fc.assert(
    fc.asyncProperty(sequence, async ({ opening, others }) => {
      const { model, real } = await newWorld(server, checksEachStep);
      for (const step of opening) await step.run(model, real);
      await fc.asyncModelRun(() => ({ model, real }), others);
      await assertNoBreaches(real);
      steps += real.steps;
      for (const { status } of model.payments) reached.payments.add(status);
      for (const { status } of model.transfers) reached.transfers.add(status);
      for (const { status } of model.refunds) reached.refunds.add(status);
      for (const outcome of model.rareOutcomes) rareOutcomes.set(outcome, (rareOutcomes.get(outcome) ?? 0) + 1);
    }),
    runs,
  );

  t.log(`${steps} steps`, Object.fromEntries(rareOutcomes));
  t.deepEqual(await ledgerBreaches(server), []);
  return {
    payments: [...reached.payments].sort(),
    transfers: [...reached.transfers].sort(),
    refunds: [...reached.refunds].sort(),
    rareOutcomes: [...rareOutcomes.keys()].sort(),
  };
}

const first = { which: 0 };
const aDayAndAMinute = 24 * 60 + 1;

const comeBackUnpaid = [submit(first), comeBack(first)];
const failByDeclines = Array.from({ length: 3 }, () => pay({ ...first, outcome: 'declined' }));
const payOtherwise = pay({ ...first, outcome: 'paid otherwise' });
const payFirstLate = settle({ ...first, outcome: 'paid' });

const rarePaths: Step[][] = [
  comeBackUnpaid,
  failByDeclines,
  [...failByDeclines, payFirstLate],
  [...comeBackUnpaid, expireAfter(aDayAndAMinute), payFirstLate],
  [...comeBackUnpaid, pay({ ...first, outcome: 'paid' }), payFirstLate],
  [payOtherwise],
  [payOtherwise, resolve({ ...first, as: 'completed' })],
  [payOtherwise, resolve({ ...first, as: 'failed' })],
];

/** Each sequence begins with a payment or with a funded wallet, so that most later steps have an effect. */
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

export const everything: Awaited<ReturnType<typeof runSequences>> = {
  payments: ['completed', 'expired', 'failed', 'pending', 'processing'],
  transfers: ['completed', 'failed', 'pending', 'processing', 'reversed'],
  refunds: ['completed', 'failed', 'pending', 'processing'],
  rareOutcomes: [
    'came back',
    'paid after it had expired',
    'paid after it had failed',
    'paid otherwise',
    'paid twice',
    'resolved as completed',
    'resolved as failed',
    'third decline',
  ],
};
