import { defineEntity, p } from '@mikro-orm/core';
import type { Mode } from '../../kit/mode.ts';

/** One answer contains the storefront's whole list of products, so the list needs a limit. */
export const maxActiveProducts = 1000;

const ProductSchema = defineEntity({
  name: 'Product',
  properties: {
    id: p.uuid().primary(),
    merchantId: p.uuid(),
    mode: p.text().$type<Mode>(),
    name: p.text(),
    description: p.text().nullable(),
    price: p.bigint(),
    currency: p.character().length(3),
    imageUrl: p.text().nullable(),
    /** Null when the stock is unlimited. */
    stock: p.integer().nullable(),
    isActive: p.boolean(),
    metadata: p.json<Record<string, string>>(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
});

type Changeable = 'name' | 'description' | 'price' | 'currency' | 'imageUrl' | 'stock' | 'isActive' | 'metadata';

export class Product extends ProductSchema.class {
  change(changes: Partial<Pick<Product, Changeable>>, now: Date): void {
    Object.assign(this, changes);
    this.updatedAt = now;
  }
}
ProductSchema.setClass(Product);

const StorefrontSchema = defineEntity({
  name: 'Storefront',
  properties: {
    merchantId: p.uuid().primary(),
    mode: p.text().$type<Mode>().primary(),
    /** A database trigger sets a new version after every change of a product. */
    version: p.uuid(),
  },
});

// See docs/decisions/database.md, "The storefront's ETag is a version that a trigger renews".
export class Storefront extends StorefrontSchema.class {}
StorefrontSchema.setClass(Storefront);
