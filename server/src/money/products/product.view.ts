import type { Product as ProductRecord } from '@tillhook/openapi';
import type { Product } from './product.entity.ts';

export function productView(product: Product): ProductRecord {
  return {
    id: product.id,
    name: product.name,
    description: product.description ?? null,
    price: Number(product.price),
    currency: product.currency,
    imageUrl: product.imageUrl ?? null,
    stock: product.stock ?? null,
    isActive: product.isActive,
    metadata: product.metadata,
    createdAt: product.createdAt.toISOString(),
    updatedAt: product.updatedAt.toISOString(),
  };
}
