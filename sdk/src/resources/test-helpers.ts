export const testHelpers = {
  /**
   * Completes a payment of test mode as if the customer had paid, events included.
   *
   * @example
   * await tillhook.testHelpers.completePayment('order-1042');
   */
  completePayment: 'testCompletePayment',
  /**
   * Fails a payment of test mode as if the customer's card had been declined, events included.
   *
   * @example
   * await tillhook.testHelpers.failPayment('order-1042');
   */
  failPayment: 'testFailPayment',
  /**
   * Puts money of test mode into the Transfer wallet.
   *
   * @example
   * const { available } = await tillhook.testHelpers.fundWallet({ amount: 1000000 });
   */
  fundWallet: 'testFundWallet',
} as const;
