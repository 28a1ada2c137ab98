/** Ways to where chance seldom leads, for a merchant with one payment. What comes after them is left to chance. */
import { comeBack, pay, resolve, settle, submit } from './attempt-steps.ts';
import { expireAfter } from './payment-steps.ts';
import type { Step } from './step.ts';

/** Picks the only payment, and the first attempt of it whatever became of that. */
const first = { which: 0 };
const aDayAndAMinute = 24 * 60 + 1;

const leave = [submit(first), comeBack(first)];
const failByDeclines = Array.from({ length: 3 }, () => pay({ ...first, outcome: 'declined' }));
const payOtherwise = pay({ ...first, outcome: 'paid otherwise' });
const payFirstLate = settle({ ...first, outcome: 'paid' });

export const seldom: Step[][] = [
  leave,
  failByDeclines,
  [...failByDeclines, payFirstLate],
  [...leave, expireAfter(aDayAndAMinute), payFirstLate],
  [...leave, pay({ ...first, outcome: 'paid' }), payFirstLate],
  [payOtherwise],
  [payOtherwise, resolve({ ...first, as: 'completed' })],
  [payOtherwise, resolve({ ...first, as: 'failed' })],
];
