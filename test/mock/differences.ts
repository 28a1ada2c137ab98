/**
 * Where the mock answers otherwise than the server, and why, by the request's title. Refusals alone may differ, and a test
 * fails for one that is gone.
 */
export const differences: Record<string, string> = {
  'registerWebhookEndpoint: an address in a private network':
    'The receivers of those who build against a mock stand there; a server takes them where WEBHOOK_ALLOW_CIDRS says so.',
};
