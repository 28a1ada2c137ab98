export const checkout = {
  /**
   * Creates a checkout session; send the customer to `data.checkoutUrl`.
   *
   * @example
   * const { data } = await tillhook.checkout.create({ email: 'ada@example.com', amount: 500000 });
   */
  create: 'createCheckout',
} as const;
