import { ConcurrentIndexes } from '../schema/concurrent-indexes.ts';

export class ProductIndex extends ConcurrentIndexes {
  protected override readonly indexes = {
    /** The existing index `product_storefront` contains only active products. */
    product_list: { on: 'product (merchant_id, mode, id desc)' },
  };
}
