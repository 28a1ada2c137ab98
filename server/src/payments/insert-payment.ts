import { sql } from 'kysely';
import type { WriteContext } from '../context.ts';
import type { Payment } from './payment.entity.ts';

/**
 * Saves a new payment. By hand, because no statement runs as often as this one, and the ORM's has its values in the text:
 * Postgres would plan each anew.
 */
export async function insertPayment({ em }: WriteContext, payment: Payment): Promise<void> {
  await sql`
    insert into payment
      (id, merchant_id, mode, reference, access_code, amount, currency, status, customer_email, description, metadata,
       callback_url, cancel_url, locale, attempts, expires_at, created_at, updated_at)
    values
      (${payment.id}, ${payment.merchantId}, ${payment.mode}, ${payment.reference}, ${payment.accessCode},
       ${payment.amount.toString()}, ${payment.currency}, ${payment.status}, ${payment.customerEmail},
       ${payment.description}, ${JSON.stringify(payment.metadata)}, ${payment.callbackUrl}, ${payment.cancelUrl},
       ${payment.locale}, ${payment.attempts}, ${payment.expiresAt}, ${payment.createdAt}, ${payment.updatedAt})`.execute(
    em.getKysely(),
  );
}
