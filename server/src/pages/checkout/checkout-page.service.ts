import type { Context } from '../../context.ts';
import { notFound } from '../../kit/errors.ts';
import { isId } from '../../kit/ids.ts';
import { Payment } from '../../money/payments/payment.entity.ts';
import type { Brand } from '../../people/merchants/merchants.service.ts';
import { columnsOf, rowsOutsideTransaction } from '../../platform/database/statement.ts';

type ShownMerchant = Omit<Brand, 'statementName'> & { logoHash: string | null };

interface Checkout {
  payment: Payment;
  brand: ShownMerchant;
}

/**
 * Reads the payment and its merchant in one statement, because a customer waits for the page.
 * See docs/decisions/checkout-page.md, "The page reads its payment and merchant in one statement by hand".
 */
export async function getCheckout(context: Context, accessCode: string): Promise<Checkout> {
  const [row] = isId(accessCode) ? await readCheckout(context, accessCode) : [];
  if (!row) throw notFound();
  const { brand, ...payment } = row;
  return { payment: context.em.map(Payment, payment), brand };
}

function readCheckout(context: Context, accessCode: string): Promise<Pick<Checkout, 'brand'>[]> {
  return rowsOutsideTransaction<Pick<Checkout, 'brand'>>(context)`
    select ${columnsOf(context, Payment, 'p')}, json_build_object(
      'name', m.name, 'logoHash', m.logo_hash, 'colour', m.colour,
      'termsUrl', m.terms_url, 'supportUrl', m.support_url, 'supportEmail', m.support_email
    ) as brand
    from payment p join merchant m on m.id = p.merchant_id
    where p.access_code = ${accessCode}`;
}
