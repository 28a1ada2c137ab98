import type { Request } from 'express';
import { type Context, withFreshEntityManager } from '../../context.ts';
import { basePath } from '../../kit/base-path.ts';
import { notFound } from '../../kit/errors.ts';
import { isId } from '../../kit/ids.ts';
import { checkAttemptForPage } from '../../money/payments/ask-processor.ts';
import { findOpenAttempt, isPaidByAnAttempt } from '../../money/payments/attempts.service.ts';
import { getPaymentByAccessCode, lockUnexpired } from '../../money/payments/checkout.service.ts';
import { getProcessor } from '../../money/payments/get-processor.ts';
import { Payment } from '../../money/payments/payment.entity.ts';
import type { PaymentAttempt } from '../../money/payments/payment-attempt.entity.ts';
import { logoFile } from '../../people/merchants/merchant.entity.ts';
import type { Brand } from '../../people/merchants/merchants.service.ts';
import { columnsOf, rowsOutsideTransaction } from '../../platform/database/statement.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { type CheckoutProcessor, methodsOf } from '../../processors/port.ts';
import { formNonce } from './form-nonce.ts';
import { type Phones, stepOf, type Visit } from './visit.ts';
import { chooseWords } from './words/words.ts';

export type CheckoutRequest = Request<{ accessCode: string }>;

export async function openVisit(request: CheckoutRequest): Promise<Visit> {
  const { context, params, query } = request;
  const now = context.clock.now();
  const { brand, ...found } = await getCheckout(context, params.accessCode);
  const { payment, attempt, processor } = await bringUpToDate(context, found.payment, now);
  // `getProcessor` throws when the mode has no processor. Only the pages of pending payments need a processor.
  if (payment.status === 'pending') getProcessor(context, payment.mode);
  const { name, logoHash, colour, ...links } = brand;
  const base = checkoutPath(context);
  return {
    payment,
    attempt,
    hasPaidAttempt: hasEndedUnpaid(payment) && (await isPaidByAnAttempt(context, payment)),
    merchantName: name,
    logo: logoHash ? `${base}/assets/${logoFile(logoHash)}` : null,
    colour,
    links,
    testCards: processor?.takes === 'card' ? processor.testCards : null,
    methods: processor ? methodsOf(processor, payment, payment.paymentMethods) : [],
    phones: processor ? phonesOf(processor, payment.currency) : null,
    ...chooseWords(payment.locale, request.acceptsLanguages()),
    step: stepOf(query.step),
    nonce: formNonce(context.sealer, payment),
    base,
    now,
  };
}

const hasEndedUnpaid = ({ status }: Payment) => status === 'failed' || status === 'expired';

function phonesOf({ mobileMoney }: CheckoutProcessor, currency: string): Phones | null {
  const operators = mobileMoney?.operators(currency) ?? [];
  if (!mobileMoney || operators.length === 0) return null;
  const testNumbers = mobileMoney.testNumbers?.(currency) ?? null;
  return { operators, countryCode: mobileMoney.countryCode(currency), testNumbers };
}

export function checkoutPath({ publicUrl }: Context): string {
  return `${basePath(publicUrl)}/checkout`;
}

type ShownMerchant = Omit<Brand, 'statementName'> & { logoHash: string | null };

interface Checkout {
  payment: Payment;
  brand: ShownMerchant;
}

/**
 * Reads the payment and its merchant in one statement, because a customer waits for the page.
 * See docs/decisions/checkout-page.md, "The page reads its payment and merchant in one statement by hand".
 */
async function getCheckout(context: Context, accessCode: string): Promise<Checkout> {
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

interface Current {
  payment: Payment;
  attempt: PaymentAttempt | null;
  processor: CheckoutProcessor | undefined;
}

/**
 * Asks the processor about the open attempt at once, because the customer waits for the result, unless the customer can
 * only act on our page.
 */
async function bringUpToDate(context: Context, found: Payment, now: Date): Promise<Current> {
  const { accessCode, mode } = found;
  const processor = context.processors[mode];
  const isDue = found.status === 'pending' && found.expiresAt <= now;
  if (isDue) {
    const { payment } = await inTransaction(context, (tx) => lockUnexpired(tx, accessCode));
    return { payment, attempt: null, processor };
  }
  const mayBeOpen = found.status === 'processing' || found.waitsFor;
  const attempt = mayBeOpen ? await findOpenAttempt(context, found) : null;
  if (!attempt || (attempt.method === 'card' && processor?.takes !== 'redirect'))
    return { payment: found, attempt, processor };
  await checkAttemptForPage(context, attempt.id);
  const fresh = withFreshEntityManager(context);
  const payment = await getPaymentByAccessCode(fresh, accessCode);
  return { payment, attempt: await findOpenAttempt(fresh, payment), processor };
}
