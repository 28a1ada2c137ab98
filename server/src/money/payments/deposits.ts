/**
 * Money that comes by bank transfer comes when the customer sends it: several times, late, or more than was asked for.
 * Each deposit is counted once, however often the processor reports it.
 * See docs/decisions/money.md, "A bank transfer is counted by what arrives".
 */
import type { WriteContext } from '../../context.ts';
import { newId } from '../../kit/ids.ts';
import { run } from '../../platform/database/statement.ts';
import { PaymentAttempt } from './payment-attempt.entity.ts';

interface Deposit {
  depositId: string;
  amount: bigint;
  currency: string;
}

/** Returns false when the deposit was counted before. The caller has locked the payment. */
export async function noteDeposit(
  tx: WriteContext,
  { paymentId }: PaymentAttempt,
  { depositId, amount, currency }: Deposit,
): Promise<boolean> {
  const noted = await run(tx)`
    insert into bank_deposit (payment_id, id, amount, currency, arrived_at)
    values (${paymentId}, ${depositId}, ${amount.toString()}, ${currency}, ${tx.clock.now()}) on conflict do nothing`;
  return noted === 1;
}

/** An attempt has one paid amount, so each further deposit becomes an attempt, which the review shows too. */
export function attemptOfDeposit(attempt: PaymentAttempt, { depositId }: Deposit, now: Date): PaymentAttempt {
  if (attempt.outcome !== 'paid') return attempt;
  return Object.assign(new PaymentAttempt(), {
    ...attempt,
    id: newId(),
    processorId: depositId,
    returnedAt: null,
    outcome: null,
    paidAmount: null,
    paidCurrency: null,
    startedAt: now,
    settledAt: null,
  });
}
