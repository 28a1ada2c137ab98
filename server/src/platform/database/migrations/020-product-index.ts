import { ConcurrentIndexes } from '../schema/concurrent-indexes.ts';

export class ProductIndex extends ConcurrentIndexes {
  protected override readonly indexes = {
    /** The list of all products, archived ones too; `product_storefront` has only those that are active. */
    product_list: { on: 'product (merchant_id, mode, id desc)' },
  };
}
