import { sql } from 'kysely';
import type { WriteContext } from '../context.ts';
import type { Transfer } from './transfer.entity.ts';

/** Saves a new transfer. By hand, as `insertPayment` is: the ORM's statement would be planned anew each time. */
export async function insertTransfer({ em }: WriteContext, transfer: Transfer): Promise<void> {
  await sql`
    insert into transfer
      (id, merchant_id, mode, reference, amount, fee, currency, status, recipient_name, sealed_account_number,
       account_number_last4, bank_code, narration, metadata, created_at, updated_at)
    values
      (${transfer.id}, ${transfer.merchantId}, ${transfer.mode}, ${transfer.reference}, ${transfer.amount.toString()},
       ${transfer.fee.toString()}, ${transfer.currency}, ${transfer.status}, ${transfer.recipientName},
       ${transfer.sealedAccountNumber}, ${transfer.accountNumberLast4}, ${transfer.bankCode}, ${transfer.narration},
       ${JSON.stringify(transfer.metadata)}, ${transfer.createdAt}, ${transfer.updatedAt})`.execute(em.getKysely());
}
