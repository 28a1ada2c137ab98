export const payments = {
  /**
   * Lists one page of payments, newest first.
   *
   * @example
   * const { payments, total } = await tillhook.payments.list({ status: 'completed', limit: 50 });
   */
  list: 'listPayments',
  /**
   * Gets the payment with this reference, or throws a `NotFoundError`.
   *
   * @example
   * const payment = await tillhook.payments.get('order-1042');
   */
  get: 'getPayment',
  /**
   * Withdraws a hosted page. The `status` of the answer says what became of the payment; a payment that is
   * final already throws a `ConflictError`.
   *
   * @example
   * const { status } = await tillhook.payments.cancel('order-1042');
   */
  cancel: 'cancelCheckout',
} as const;
