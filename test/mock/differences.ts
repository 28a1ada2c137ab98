/**
 * Where the mock refuses differently from the server, and why, by the title of the request. A test fails for an entry
 * whose difference does not exist any more. The lives of payments and endpoints may not differ: see `lifecycles.test.ts`.
 */
export const differences: Record<string, string> = {
  'registerWebhookEndpoint: an address in a private network':
    'The receivers of those who build against a mock stand there; a server takes them where WEBHOOK_ALLOW_CIDRS says so.',
};
