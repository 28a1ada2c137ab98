export const events = {
  /**
   * Lists one page of events, newest first unless `order` is `asc`. Reconcile with it after your receiver was
   * down.
   *
   * @example
   * const { events } = await tillhook.events.list({ from: '2026-11-21T08:00:00Z', order: 'asc' });
   */
  list: 'listEvents',
  /**
   * Gets the event whose id was the header `webhook-id`.
   *
   * @example
   * const event = await tillhook.events.get(webhookId);
   */
  get: 'getEvent',
} as const;
