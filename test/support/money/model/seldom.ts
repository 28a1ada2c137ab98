/** Sequences that reach rare outcomes, for a merchant with one payment. Random steps follow them. */
import { comeBack, pay, resolve, settle, submit } from './attempt-steps.ts';
import { expireAfter } from './payment-steps.ts';
import type { Step } from './step.ts';

/** Picks the only payment, or its first attempt in whatever state that is. */
const first = { which: 0 };
const aDayAndAMinute = 24 * 60 + 1;

const comeBackUnpaid = [submit(first), comeBack(first)];
const failByDeclines = Array.from({ length: 3 }, () => pay({ ...first, outcome: 'declined' }));
const payOtherwise = pay({ ...first, outcome: 'paid otherwise' });
const payFirstLate = settle({ ...first, outcome: 'paid' });

export const rarePaths: Step[][] = [
  comeBackUnpaid,
  failByDeclines,
  [...failByDeclines, payFirstLate],
  [...comeBackUnpaid, expireAfter(aDayAndAMinute), payFirstLate],
  [...comeBackUnpaid, pay({ ...first, outcome: 'paid' }), payFirstLate],
  [payOtherwise],
  [payOtherwise, resolve({ ...first, as: 'completed' })],
  [payOtherwise, resolve({ ...first, as: 'failed' })],
];
