import { sql } from 'kysely';
import type { WriteContext } from '../context.ts';
import { creditCollection } from '../wallets/wallets.service.ts';
import { announcePayment } from './announce-payment.ts';
import type { Payment } from './payment.entity.ts';

/** The merchant has the money, and is told: status, ledger and event of one payment, under its row's lock. */
export async function completePayment(context: WriteContext, payment: Payment): Promise<void> {
  payment.complete(context.clock.now());
  await creditCollection(context, payment);
  await announcePayment(context, payment);
  await closeOpenAttempts(context, payment);
}

/**
 * A customer who is still at the processor's page could pay a second time. The job `settle-undecided` finds these attempts due,
 * and has the processor end their sessions, outside any transaction.
 */
async function closeOpenAttempts({ em }: WriteContext, { id }: Payment): Promise<void> {
  await sql`update payment_attempt set next_check_at = now() where payment_id = ${id} and outcome is null`.execute(
    em.getKysely(),
  );
}
