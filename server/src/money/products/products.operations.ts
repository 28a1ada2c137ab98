import { pageOf } from '../../kit/pagination.ts';
import { type Operations, read, write } from '../../operation/operation.ts';
import { productView } from './product.view.ts';
import {
  archiveProduct,
  createProduct,
  getProduct,
  getStorefrontVersion,
  listProducts,
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

  listProducts: read(async (context, { query }) => {
    const { records, total } = await listProducts(context, query, pageOf(query));
    return { products: records.map(productView), total };
  }),

  createProduct: write(async (context, { body }) => productView(await createProduct(context, body)), {
    audited: ({ id }) => ({ subject: id }),
  }),

  getProduct: read(async (context, { path }) => productView(await getProduct(context, path.id))),

  updateProduct: write(async (context, { path, body }) => productView(await updateProduct(context, path.id, body)), {
    audited: ({ id }) => ({ subject: id }),
  }),

  archiveProduct: write(async (context, { path }) => productView(await archiveProduct(context, path.id)), {
    audited: ({ id }) => ({ subject: id }),
  }),
} satisfies Partial<Operations>;
