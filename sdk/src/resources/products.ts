export const products = {
  /**
   * Adds a product to the storefront.
   *
   * @example
   * const product = await tillhook.products.create({ name: 'Enamel mug', price: 450000 });
   */
  create: 'createProduct',
  /**
   * Changes a product; what is left out stays.
   *
   * @example
   * await tillhook.products.update(product.id, { stock: null });
   */
  update: 'updateProduct',
  /**
   * Takes a product off the storefront; `update` with `isActive: true` brings it back.
   *
   * @example
   * await tillhook.products.archive(product.id);
   */
  archive: 'archiveProduct',
} as const;
