export const webhookEndpoints = {
  /**
   * Registers an address for events. Keep the `secret` of the answer: it is never shown again.
   *
   * @example
   * const { secret } = await tillhook.webhookEndpoints.register({ url: 'https://shop.example.com/webhooks' });
   */
  register: 'registerWebhookEndpoint',
  /**
   * Lists every endpoint of this merchant and mode, with masked secrets.
   *
   * @example
   * const { webhooks } = await tillhook.webhookEndpoints.list();
   */
  list: 'listWebhookEndpoints',
  /**
   * Gets one endpoint, with a masked secret.
   *
   * @example
   * const { isActive, disabledReason } = await tillhook.webhookEndpoints.get(endpoint.id);
   */
  get: 'getWebhookEndpoint',
  /**
   * Changes the address, the events, or whether anything is sent; what is left out stays.
   *
   * @example
   * await tillhook.webhookEndpoints.update(endpoint.id, { isActive: true });
   */
  update: 'updateWebhookEndpoint',
  /**
   * Removes an endpoint; nothing is sent to it any more.
   *
   * @example
   * await tillhook.webhookEndpoints.remove(endpoint.id);
   */
  remove: 'removeWebhookEndpoint',
  /**
   * Sends a `test.event` to an endpoint and answers with what the receiver said.
   *
   * @example
   * const { data } = await tillhook.webhookEndpoints.sendTest(endpoint.id);
   * console.log(data.delivered ? 'It works.' : `It failed: ${data.error ?? data.statusCode}`);
   */
  sendTest: 'sendTestEvent',
  /**
   * Stages a next secret. Until the rotation is complete each webhook is signed with both, so give your
   * receiver both.
   *
   * @example
   * const secret = generateSecret();
   * await tillhook.webhookEndpoints.rotateSecret(endpoint.id, { secret, switchAfterSeconds: 3600 });
   */
  rotateSecret: 'rotateWebhookSecret',
  /**
   * Makes the staged secret the only one that counts; with `revokeOld` the old one signs nothing any more.
   *
   * @example
   * await tillhook.webhookEndpoints.completeSecretRotation(endpoint.id, { revokeOld: true });
   */
  completeSecretRotation: 'completeWebhookSecretRotation',
  /**
   * Sends again what an endpoint missed, at most 10,000 deliveries in one call.
   *
   * @example
   * const { data } = await tillhook.webhookEndpoints.replay(endpoint.id, { since: '2026-11-21T08:00:00Z' });
   * console.log(data.count, data.hasMore ? 'and more to come' : 'and that was all');
   */
  replay: 'replayDeliveries',
} as const;
