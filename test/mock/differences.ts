/**
 * Where the mock refuses differently from the server, and why, by the title of the request. A test fails for an entry
 * whose difference does not exist any more. The lives of payments, transfers and endpoints may not differ: see
 * `lifecycles.test.ts` and `lives-of-money.test.ts`.
 */
const namesTheTransfer =
  'The server names the transfer in its sentence for operators; the mock has one sentence for all.';
const passwordFirst = 'The server looks at the password first, and the mock knows no passwords.';

export const differences: Record<string, string> = {
  'registerWebhookEndpoint: an address in a private network':
    'The receivers of those who build against a mock stand there; a server takes them where WEBHOOK_ALLOW_CIDRS says so.',
  'getOpenTransfer: a name that nobody has made': namesTheTransfer,
  'settleTransfer: a name that nobody has made': namesTheTransfer,
  'failTransfer: a name that nobody has made': namesTheTransfer,
  'reverseTransfer: a name that nobody has made': namesTheTransfer,
  'revealWebhookSecret: a name that nobody has made': passwordFirst,
  'revealAccountNumber: a name that nobody has made': passwordFirst,
};
