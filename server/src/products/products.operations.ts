import { type Operations, read, write } from '../http/operation.ts';
import { productView } from './product.view.ts';
import {
  archiveProduct,
  createProduct,
  getStorefrontVersion,
  listStorefrontProducts,
  updateProduct,
} from './products.service.ts';

export const productsOperations = {
  listStorefrontProducts: read(
    async (context) => {
      const products = await listStorefrontProducts(context);
      return { products: products.map(productView), total: products.length };
    },
    { version: getStorefrontVersion },
  ),

  createProduct: write(async (context, { body }) => productView(await createProduct(context, body))),

  updateProduct: write(async (context, { path, body }) => productView(await updateProduct(context, path.id, body))),

  archiveProduct: write(async (context, { path }) => productView(await archiveProduct(context, path.id))),
} satisfies Partial<Operations>;
