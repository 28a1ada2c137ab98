export const storefront = {
  /**
   * Lists every active product; the list is always complete.
   *
   * @example
   * const { products } = await tillhook.storefront.listProducts();
   */
  listProducts: 'listStorefrontProducts',
} as const;
