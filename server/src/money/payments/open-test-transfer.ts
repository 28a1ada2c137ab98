import { type Context, type WithPrincipal, withFreshEntityManager } from '../../context.ts';
import { AppError } from '../../kit/errors.ts';
import { requireTestMode } from '../../people/auth.service.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { methodsOf } from '../../processors/port.ts';
import { startAttempt } from './ask-processor.ts';
import { findLastTransfer, submitAttempt } from './attempts.service.ts';
import { getProcessor } from './get-processor.ts';
import { Payment } from './payment.entity.ts';

/** Chooses the bank transfer in the customer's place, if the customer has not chosen anything. */
export async function openTestTransfer(context: Context & WithPrincipal, reference: string): Promise<void> {
  requireTestMode(context.principal);
  const own = withFreshEntityManager(context);
  const { merchantId, mode } = context.principal;
  const payment = await own.em.findOne(Payment, { merchantId, mode, reference });
  // The answer for a payment that does not exist is given by the call that follows.
  if (!payment || (await findLastTransfer(own, payment))) return;
  const methods = methodsOf(getProcessor(context, payment.mode), payment, payment.paymentMethods);
  if (!methods.includes('bank_transfer')) {
    throw new AppError('unsupported_currency', 'Bank transfers are not offered for this payment');
  }
  const awaited = { type: 'bank_transfer' } as const;
  const { attempt } = await inTransaction(withFreshEntityManager(context), (tx) =>
    submitAttempt(tx, payment.accessCode, { card: null, awaited }),
  );
  if (attempt) await startAttempt(context, attempt.id);
}
