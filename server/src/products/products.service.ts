import type { Called, Context } from '../context.ts';
import { Product } from './product.entity.ts';

/** Every active product: this list is never paginated. */
export async function listStorefrontProducts(context: Context & Called): Promise<Product[]> {
  const { merchantId, mode } = context.principal;
  return context.em.find(Product, { merchantId, mode, isActive: true }, { orderBy: { id: 'desc' } });
}
