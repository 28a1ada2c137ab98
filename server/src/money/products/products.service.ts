import { LockMode } from '@mikro-orm/core';
import type { Context, WithPrincipal, WriteContext } from '../../context.ts';
import { AppError, notFound } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { currencyOr } from '../../kit/money.ts';
import type { Page, Paged } from '../../kit/pagination.ts';
import { checkWebAddress } from '../../kit/web-address.ts';
import { lockOwnMerchant } from '../../people/merchants/merchants.service.ts';
import { listPage } from '../../platform/database/lists/find-page.ts';
import { whereShortFound } from '../../text-search/text-search.service.ts';
import { maxActiveProducts, Product, Storefront } from './product.entity.ts';

interface ProductDetails {
  name: string;
  description?: string | null;
  price: number;
  currency?: string;
  imageUrl?: string | null;
  stock?: number | null;
  metadata?: Record<string, string>;
}

type ProductChanges = Partial<ProductDetails> & { isActive?: boolean };

export async function createProduct(context: WriteContext & WithPrincipal, details: ProductDetails): Promise<Product> {
  const { merchantId, mode, currency } = context.principal;
  if (details.imageUrl) checkWebAddress('imageUrl', details.imageUrl);
  await checkProductLimit(context);
  const now = context.clock.now();
  const product = Object.assign(new Product(), {
    id: newId(),
    merchantId,
    mode,
    name: details.name,
    description: details.description ?? null,
    price: BigInt(details.price),
    currency: currencyOr(details.currency, currency),
    imageUrl: details.imageUrl ?? null,
    stock: details.stock ?? null,
    isActive: true,
    metadata: details.metadata ?? {},
    createdAt: now,
    updatedAt: now,
  });
  context.em.persist(product);
  return product;
}

export async function getProduct(
  context: Context & WithPrincipal,
  id: string,
  options?: { lockMode: LockMode },
): Promise<Product> {
  const { merchantId, mode } = context.principal;
  const product = await context.em.findOne(Product, { id, merchantId, mode }, options);
  if (!product) throw notFound();
  return product;
}

export async function updateProduct(
  context: WriteContext & WithPrincipal,
  id: string,
  changes: ProductChanges,
): Promise<Product> {
  if (changes.imageUrl) checkWebAddress('imageUrl', changes.imageUrl);
  const product = await getLockedProduct(context, id);
  if (changes.isActive && !product.isActive) await checkProductLimit(context);
  const { price, currency, ...others } = changes;
  const changed = {
    ...others,
    ...(price !== undefined && { price: BigInt(price) }),
    ...(currency !== undefined && { currency: currencyOr(currency, product.currency) }),
  };
  product.change(changed, context.clock.now());
  return product;
}

export async function archiveProduct(context: WriteContext & WithPrincipal, id: string): Promise<Product> {
  const product = await getLockedProduct(context, id);
  if (product.isActive) product.change({ isActive: false }, context.clock.now());
  return product;
}

export async function listStorefrontProducts(context: Context & WithPrincipal): Promise<Product[]> {
  const { merchantId, mode } = context.principal;
  return context.em.find(Product, { merchantId, mode, isActive: true }, { orderBy: { id: 'desc' } });
}

export async function listProducts(
  context: Context & WithPrincipal,
  { isActive, search }: { isActive?: boolean; search?: string },
  page: Page,
): Promise<Paged<Product>> {
  const { merchantId, mode } = context.principal;
  const found = await whereShortFound(context, 'product', { search });
  const where = { merchantId, mode, ...(isActive !== undefined && { isActive }), ...found };
  return listPage(context, Product, { owner: { merchantId, mode }, where, page });
}

export async function getStorefrontVersion(context: Context & WithPrincipal): Promise<string> {
  const { merchantId, mode } = context.principal;
  const storefront = await context.em.findOne(Storefront, { merchantId, mode });
  return storefront?.version ?? 'empty';
}

/** Without the lock, two concurrent calls could both add the last allowed product. */
async function checkProductLimit(context: WriteContext & WithPrincipal): Promise<void> {
  const { merchantId, mode } = context.principal;
  await lockOwnMerchant(context);
  if ((await context.em.count(Product, { merchantId, mode, isActive: true })) >= maxActiveProducts) {
    throw new AppError('product_limit_reached', 'A merchant may have at most 1,000 active products in each mode');
  }
}

function getLockedProduct(context: WriteContext & WithPrincipal, id: string): Promise<Product> {
  return getProduct(context, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
}
