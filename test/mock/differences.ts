/**
 * Requests that mock and server reject with different answers, each with the reason. The answers about payments,
 * transfers and endpoints may not differ: see `lifecycles.test.ts` and `lives-of-money.test.ts`.
 */
const namesTheTransfer = 'The server’s message for operators names the transfer; the mock has one message for all.';
const passwordFirst = 'The server checks the password first, and the mock has no passwords.';

export const differences: Record<string, string> = {
  'registerWebhookEndpoint: an address in a private network':
    'Developers who use a mock have their receivers there; a server accepts them only with WEBHOOK_ALLOW_CIDRS.',
  'getOpenTransfer: an unknown name in the path': namesTheTransfer,
  'settleTransfer: an unknown name in the path': namesTheTransfer,
  'failTransfer: an unknown name in the path': namesTheTransfer,
  'reverseTransfer: an unknown name in the path': namesTheTransfer,
  'revealWebhookSecret: an unknown name in the path': passwordFirst,
  'revealAccountNumber: an unknown name in the path': passwordFirst,
};
