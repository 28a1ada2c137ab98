/**
 * A customer who opens a payment link gets a separate checkout. The form of the link's page has only what the customer
 * may choose: everything else comes from the link.
 * See docs/decisions/checkout-page.md, "A payment link creates a checkout for each customer".
 */
import type { Context, WriteContext } from '../../context.ts';
import { notFound } from '../../kit/errors.ts';
import { Merchant } from '../../people/merchants/merchant.entity.ts';
import { getProcessor } from '../payments/get-processor.ts';
import { type NewPayment, startCheckout } from '../payments/payments.service.ts';
import { Product } from '../products/product.entity.ts';
import { PaymentLink } from './payment-link.entity.ts';

export interface OpenedLink {
  link: PaymentLink;
  merchant: Merchant;
  product: Product | null;
  state: LinkState;
}

/** `unavailable`: the product is archived or sold out, or its currency has changed. */
export type LinkState = 'active' | 'stopped' | 'expired' | 'limit_reached' | 'unavailable';

export interface LinkChoice {
  email: string;
  /** What the customer entered; ignored when the link has a fixed amount or a product. */
  amount: bigint;
  /** How many of the product; ignored when the link has a fixed quantity. */
  quantity: number;
}

/**
 * Choice: a checkout of a link can be paid for an hour, also when the link is stopped or expires in the meantime,
 * because the customer may be typing the card number.
 */
const lifeSeconds = 3600;

/** The highest amount of a payment, in minor units. */
export const maxAmount = 999_999_999_999n;

const slugForm = /^[a-z0-9][a-z0-9-]{1,62}[a-z0-9]$/;

/** Throws for an unknown link, and for a link of a suspended merchant, which customers cannot pay. */
export async function openLink(context: Context, slug: string): Promise<OpenedLink> {
  const wanted = slug.toLowerCase();
  const link = slugForm.test(wanted) ? await context.em.findOne(PaymentLink, { slug: wanted }) : null;
  const merchant = link && (await context.em.findOne(Merchant, { id: link.merchantId }));
  if (!link || !merchant || merchant.suspendedAt) throw notFound();
  const product = link.productId == null ? null : await context.em.findOne(Product, { id: link.productId });
  const state = stateOf(link, product, context.clock.now());
  // Throws when the mode has no processor, so that a customer does not fill in a form that leads nowhere.
  if (state === 'active') getProcessor(context, link.mode);
  return { link, merchant, product, state };
}

function stateOf(link: PaymentLink, product: Product | null, now: Date): LinkState {
  const status = link.statusAt(now);
  if (status !== 'active' || link.productId == null) return status;
  if (!product?.isActive || product.currency !== link.currency) return 'unavailable';
  const { least, most } = quantitiesOf({ link, product });
  return least <= most ? 'active' : 'unavailable';
}

export function entersAmount({ link }: Pick<OpenedLink, 'link'>): boolean {
  return link.amount == null && link.productId == null;
}

export function quantitiesOf({ link, product }: Pick<OpenedLink, 'link' | 'product'>): { least: number; most: number } {
  const stock = product?.stock ?? Number.POSITIVE_INFINITY;
  const payable = product ? Number(maxAmount / product.price) : Number.POSITIVE_INFINITY;
  const most = Math.min(link.maxQuantity ?? link.quantity ?? 1, stock, payable);
  return { least: link.maxQuantity == null ? (link.quantity ?? 1) : 1, most };
}

export type ChoiceProblem = 'amount.low' | 'amount.high' | 'quantity.wrong';

export function problemOf(opened: OpenedLink, choice: Pick<LinkChoice, 'amount' | 'quantity'>): ChoiceProblem | null {
  const { link, product } = opened;
  if (product) {
    const { least, most } = quantitiesOf(opened);
    return choice.quantity >= least && choice.quantity <= most ? null : 'quantity.wrong';
  }
  if (!entersAmount(opened)) return null;
  if (choice.amount < (link.minAmount ?? 1n)) return 'amount.low';
  return choice.amount > (link.maxAmount ?? maxAmount) ? 'amount.high' : null;
}

/** The caller has checked the link's state and the customer's choice. */
export async function startLinkCheckout(
  context: WriteContext,
  { link, merchant, product }: OpenedLink,
  { email, amount, quantity }: LinkChoice,
): Promise<NewPayment> {
  const { merchantId, mode, currency } = link;
  const principal = { merchantId, mode, currency: merchant.currency };
  const chosen = product ? product.price * BigInt(quantity) : (link.amount ?? amount);
  const linkUrl = `${context.publicUrl}/pay/${link.slug}`;
  return startCheckout(
    { ...context, principal },
    {
      email,
      amount: Number(chosen),
      currency,
      description: link.name,
      ...(link.callbackUrl && { callbackUrl: link.callbackUrl }),
      // In live mode, a return address must use https, which the service may lack on a machine of a developer.
      ...((mode === 'test' || linkUrl.startsWith('https:')) && { cancelUrl: linkUrl }),
      metadata: link.metadata,
      expiresIn: lifeSeconds,
      paymentLinkId: link.id,
      ...(product && { lineItems: [{ name: product.name, quantity, unitAmount: Number(product.price) }] }),
    },
  );
}
