/** Lists show created products before the examples, which never change. */
import type { OperationOutput, Product } from '@tillhook/openapi';
import { v7 as newId } from 'uuid';
import { pageOf } from '../examples/list-page.ts';
import { ownCurrency } from '../examples/seeds.ts';
import { ApiError } from '../requests/api-error.ts';
import type { Mode } from '../requests/credentials.ts';
import type { Answers, RememberingCall } from './answers.ts';
import { maxRemembered, type Remembered } from './remembered.ts';

export function createProducts(remembered: Record<Mode, Remembered>): Answers {
  const named = ({ request, mode }: RememberingCall) => remembered[mode].products.named(request.path.id?.toLowerCase());
  const all = ({ mode, example }: RememberingCall) => [
    ...remembered[mode].products.items,
    ...(example as OperationOutput<'listProducts'>).products,
  ];
  const refuseAboveLimit = (mode: Mode) => {
    const active = remembered[mode].products.items.filter(({ isActive }) => isActive);
    // `maxRemembered` is also the service's maximum number of active products.
    if (active.length >= maxRemembered)
      throw new ApiError('product_limit_reached', 'A merchant may have at most 1,000 active products in each mode');
  };
  const change = (product: Product, changes: Partial<Product>) =>
    Object.assign(product, changes, { updatedAt: new Date().toISOString() });
  return {
    createProduct({ request, mode }) {
      refuseAboveLimit(mode);
      const product = newProduct(request.body as Pick<Product, 'name' | 'price'> & Partial<Product>);
      remembered[mode].products.add(product);
      return { ...product };
    },
    getProduct: named,
    updateProduct(call) {
      const product = named(call);
      const changes = call.request.body as Partial<Product>;
      if (!product) return undefined;
      if (changes.isActive && !product.isActive) refuseAboveLimit(call.mode);
      return { ...change(product, changes) };
    },
    archiveProduct(call) {
      const product = named(call);
      if (product?.isActive) change(product, { isActive: false });
      return product && { ...product };
    },
    listProducts: (call) => {
      const records = all(call).map((product) => ({ ...product }));
      return pageOf({ key: 'products', records, isFeed: false }, call.request);
    },
    listStorefrontProducts(call) {
      const products = all(call).filter(({ isActive }) => isActive);
      return { products, total: products.length };
    },
  };
}

function newProduct(order: Pick<Product, 'name' | 'price'> & Partial<Product>): Product {
  const now = new Date().toISOString();
  const optional = { description: null, currency: ownCurrency, imageUrl: null, stock: null, metadata: {} };
  return { id: newId(), ...optional, ...order, isActive: true, createdAt: now, updatedAt: now };
}
