export const deliveries = {
  /**
   * Lists one page of deliveries, newest first unless `order` is `asc`.
   *
   * @example
   * const { deliveries, total } = await tillhook.deliveries.list({ status: 'failed', limit: 50 });
   */
  list: 'listDeliveries',
  /**
   * Gets a delivery with what was sent and every attempt.
   *
   * @example
   * const { attempts } = await tillhook.deliveries.get(delivery.id);
   */
  get: 'getDelivery',
  /**
   * Sends the event again, as a new delivery with the same `webhook-id`.
   *
   * @example
   * const { data } = await tillhook.deliveries.resend(delivery.id);
   */
  resend: 'resendDelivery',
} as const;
