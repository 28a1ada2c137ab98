import { defineEntity, p } from '@mikro-orm/core';
import type { Mode } from '../kit/mode.ts';

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
    /** Null is unlimited. */
    stock: p.integer().nullable(),
    isActive: p.boolean(),
    metadata: p.json<Record<string, string>>(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
});

export class Product extends ProductSchema.class {}
ProductSchema.setClass(Product);
