import { type Operations, read } from '../http/operation.ts';
import { productView } from './product.view.ts';
import { listStorefrontProducts } from './products.service.ts';

export const productsOperations = {
  listStorefrontProducts: read(async (context) => {
    const products = await listStorefrontProducts(context);
    return { products: products.map(productView), total: products.length };
  }),
} satisfies Partial<Operations>;
