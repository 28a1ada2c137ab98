import { pageOf } from '../../kit/pagination.ts';
import { type Operation, read, write } from '../../operation/operation.ts';
import { productView } from './product.view.ts';
import * as products from './products.service.ts';

export const listStorefrontProducts: Operation<'listStorefrontProducts'> = read(
  async (context) => {
    const records = await products.listStorefrontProducts(context);
    return { products: records.map(productView), total: records.length };
  },
  { version: products.getStorefrontVersion },
);

export const listProducts: Operation<'listProducts'> = read(async (context, { query }) => {
  const { records, total } = await products.listProducts(context, query, pageOf(query));
  return { products: records.map(productView), total };
});

export const createProduct: Operation<'createProduct'> = write(
  async (context, { body }) => productView(await products.createProduct(context, body)),
  {
    audited: ({ id }) => ({ subject: id }),
  },
);

export const getProduct: Operation<'getProduct'> = read(async (context, { path }) =>
  productView(await products.getProduct(context, path.id)),
);

export const updateProduct: Operation<'updateProduct'> = write(
  async (context, { path, body }) => productView(await products.updateProduct(context, path.id, body)),
  {
    audited: ({ id }) => ({ subject: id }),
  },
);

export const archiveProduct: Operation<'archiveProduct'> = write(
  async (context, { path }) => productView(await products.archiveProduct(context, path.id)),
  {
    audited: ({ id }) => ({ subject: id }),
  },
);
