import type { WriteContext } from '../context.ts';
import { creditCollection } from '../wallets/wallets.service.ts';
import { announcePayment } from './announce-payment.ts';
import type { Payment } from './payment.entity.ts';

/** The merchant has the money, and is told: status, ledger and event of one payment, under its row's lock. */
export async function completePayment(context: WriteContext, payment: Payment): Promise<void> {
  payment.complete(context.clock.now());
  await creditCollection(context, payment);
  await announcePayment(context, payment);
}
