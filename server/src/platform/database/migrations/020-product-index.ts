import { ConcurrentIndexes } from '../schema/concurrent-indexes.ts';

export class ProductIndex extends ConcurrentIndexes {
  protected override readonly indexes = {
    /** A new index, because `product_storefront` contains only active products. */
    product_list: { on: 'product (merchant_id, mode, id desc)' },
  };
}
