/** The links in the contract's examples are remembered from the start, so that they can be opened and changed. */
import { randomBytes } from 'node:crypto';
import type {
  Model,
  OperationOutput,
  PaymentLink,
  PaymentLinkRequest,
  PaymentLinkUpdate,
  Product,
} from '@tillhook/openapi';
import {
  changedPriceProblem,
  limitsProblem,
  newPriceProblem,
  notInFuture,
  type PriceProblem,
  priceKindOf,
  slugInUse,
} from '@tillhook/openapi/rules/payment-link';
import { v7 as newId } from 'uuid';
import { pageOf } from '../examples/list-page.ts';
import { ownCurrency } from '../examples/seeds.ts';
import { ApiError, fieldError } from '../requests/api-error.ts';
import type { Mode } from '../requests/credentials.ts';
import type { Answers, RememberingCall } from './answers.ts';
import { type Checkout, newCheckout } from './checkout.ts';
import type { Remembered } from './remembered.ts';

export interface PaymentLinks {
  answers: Answers;
  find(slug: string): PaymentLink | undefined;
  productOf(link: PaymentLink): Product | undefined;
  begin(link: PaymentLink, choice: LinkChoice): Checkout;
  advance(mode: Mode, seconds: number): number;
}

export interface LinkChoice {
  email: string;
  amount: number;
  quantity: number;
}

const lifeSeconds = 3600;

interface LinkOptions {
  model: Model;
  serviceUrl: string;
}

export function createPaymentLinks(
  remembered: Record<Mode, Remembered>,
  { model, serviceUrl }: LinkOptions,
): PaymentLinks {
  const modes = Object.entries(remembered) as [Mode, Remembered][];
  const exampleProducts = listed<OperationOutput<'listProducts'>>(model, 'listProducts')?.products ?? [];
  const examples = listed<OperationOutput<'listPaymentLinks'>>(model, 'listPaymentLinks')?.paymentLinks ?? [];
  for (const link of examples.toReversed()) remembered[link.mode].paymentLinks.add({ ...link });
  const find = (slug: string) =>
    modes.flatMap(([, { paymentLinks }]) => paymentLinks.items).find((link) => link.slug === slug);
  const productNamed = (mode: Mode, id: string | null | undefined) =>
    remembered[mode].products.named(id?.toLowerCase()) ?? exampleProducts.find((product) => product.id === id);
  const named = ({ request, mode }: RememberingCall) => {
    const link = remembered[mode].paymentLinks.named(request.path.id?.toLowerCase());
    return link && shown(link);
  };
  return {
    find,
    productOf: (link) => productNamed(link.mode, link.productId),
    begin(link, { email, amount, quantity }) {
      const product = productNamed(link.mode, link.productId);
      const order = {
        email,
        amount: product ? product.price * quantity : (link.amount ?? amount),
        currency: link.currency,
        description: link.name,
        metadata: link.metadata,
        expiresIn: lifeSeconds,
        ...(link.callbackUrl !== null && { callbackUrl: link.callbackUrl }),
        ...(product && { lineItems: [{ name: product.name, quantity, unitAmount: product.price }] }),
      };
      const checkout = newCheckout(order, link.mode, serviceUrl);
      checkout.payment.paymentLinkId = link.id;
      remembered[link.mode].checkouts.add(checkout);
      return checkout;
    },
    advance(mode, seconds) {
      const ending = remembered[mode].paymentLinks.items.filter(
        ({ expiresAt }) => expiresAt !== null && Date.parse(expiresAt) > Date.now(),
      );
      for (const link of ending) {
        const at = Date.parse(String(link.expiresAt)) - seconds * 1000;
        link.expiresAt = new Date(Math.max(at, Date.now())).toISOString();
      }
      return ending.length;
    },
    answers: {
      createPaymentLink({ request, mode }) {
        const order = request.body as PaymentLinkRequest;
        refuse(newPriceProblem(order));
        checkFuture(order.expiresAt);
        const product = order.productId === undefined ? undefined : productNamed(mode, order.productId);
        if (order.productId !== undefined && !product?.isActive) {
          throw fieldError('invalid_parameter', 'productId', 'is the id of none of your active products in this mode');
        }
        if (order.slug !== undefined && find(order.slug)) {
          throw new ApiError('duplicate_slug', slugInUse, { param: 'slug' });
        }
        const link = newLink(order, { mode, product, serviceUrl });
        remembered[mode].paymentLinks.add(link);
        return shown(link);
      },
      getPaymentLink: named,
      listPaymentLinks: ({ request, mode }) => {
        const records = remembered[mode].paymentLinks.items.map(shown);
        return pageOf({ key: 'paymentLinks', records, isFeed: false }, request);
      },
      updatePaymentLink({ request, mode }) {
        const link = remembered[mode].paymentLinks.named(request.path.id?.toLowerCase());
        if (!link) return undefined;
        const changes = request.body as PaymentLinkUpdate;
        refuse(changedPriceProblem(priceKindOf(link), changes));
        refuse(limitsProblem({ ...link, ...changes }));
        checkFuture(changes.expiresAt);
        const { quantity, maxQuantity } = changes;
        Object.assign(link, changes, {
          ...(changes.expiresAt && { expiresAt: new Date(changes.expiresAt).toISOString() }),
          ...(quantity !== undefined && { maxQuantity: null }),
          ...(maxQuantity !== undefined && { quantity: null }),
          updatedAt: new Date().toISOString(),
        });
        return shown(link);
      },
    },
  };
}

/** The status depends on the time. */
export function statusOf({ isActive, expiresAt, maxPayments, completedPayments }: PaymentLink): PaymentLink['status'] {
  if (!isActive) return 'stopped';
  if (expiresAt !== null && Date.parse(expiresAt) <= Date.now()) return 'expired';
  return maxPayments !== null && completedPayments >= maxPayments ? 'limit_reached' : 'active';
}

function shown(link: PaymentLink): PaymentLink & Record<string, unknown> {
  return { ...link, status: statusOf(link) };
}

function newLink(
  order: PaymentLinkRequest,
  { mode, product, serviceUrl }: { mode: Mode; product: Product | undefined; serviceUrl: string },
): PaymentLink {
  const now = new Date().toISOString();
  const slug = order.slug ?? randomBytes(10).toString('hex');
  return {
    id: newId(),
    slug,
    url: `${serviceUrl}/pay/${slug}`,
    name: order.name,
    description: order.description ?? null,
    ...amountsOf(order),
    currency: product?.currency ?? order.currency ?? ownCurrency,
    productId: product?.id ?? null,
    ...quantitiesOf(order),
    status: 'active',
    isActive: true,
    expiresAt: order.expiresAt ? new Date(order.expiresAt).toISOString() : null,
    callbackUrl: order.callbackUrl ?? null,
    metadata: order.metadata ?? {},
    maxPayments: order.maxPayments ?? null,
    completedPayments: 0,
    completedAmount: 0,
    mode,
    createdAt: now,
    updatedAt: now,
  };
}

function amountsOf(order: PaymentLinkRequest) {
  const { amount = null, minAmount = null, maxAmount = null, suggestedAmount = null } = order;
  return { amount, minAmount, maxAmount, suggestedAmount };
}

/** Without a quantity, a customer pays for one of the product. */
function quantitiesOf({
  productId,
  quantity,
  maxQuantity,
}: PaymentLinkRequest): Pick<PaymentLink, 'quantity' | 'maxQuantity'> {
  if (productId === undefined) return { quantity: null, maxQuantity: null };
  return { quantity: quantity ?? (maxQuantity === undefined ? 1 : null), maxQuantity: maxQuantity ?? null };
}

function refuse(found: PriceProblem | null): void {
  if (found) throw fieldError('invalid_parameter', found.param, found.problem);
}

function checkFuture(at: string | null | undefined): void {
  if (at && Date.parse(at) <= Date.now()) throw fieldError('invalid_parameter', 'expiresAt', notInFuture);
}

function listed<List>({ operationById }: Model, id: string): List | undefined {
  const [example] = operationById.get(id)?.success.content?.examples.values() ?? [];
  return example?.value as List | undefined;
}
