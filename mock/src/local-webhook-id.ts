/**
 * Choice: the id of an endpoint in what `listen` and `resend` post. No endpoint of the service has it, so a receiver can tell
 * these events from deliveries, and it is the same at every start.
 */
export const localWebhookId = '00000000-0000-7000-8000-000000000001';
