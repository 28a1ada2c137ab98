/**
 * The layers of the server, from the top down: what stands in a line may import what stands in the lines below it, nothing
 * above, and nothing beside it. Only the first five lines, which put the product together, name rooms without being rooms.
 */
export const layers = [
  ['main.ts', 'cli/', 'database-commands.ts'],
  ['tillhook.ts', 'command-context.ts'],
  ['app.ts', 'asked-figures.ts', 'background.ts', 'create-context.ts', 'open-database.ts'],
  ['operations.ts', 'orm.ts', 'recurring-work.ts', 'seed.ts'],
  ['schedule.ts'],
  ['checkout-page/', 'dashboard/', 'docs-portal/'],
  ['http/'],
  ['statistics/'],
  ['payments/', 'transfers/'],
  ['products/', 'wallets/'],
  ['delivery/log/'],
  ['delivery/dispatch/'],
  ['delivery/queue/'],
  ['webhooks/'],
  ['auth/auth.service.ts'],
  ['auth/keys/'],
  ['auth/sessions/'],
  ['auth/merchants/'],
  ['audit/'],
  ['operation/'],
  ['database/'],
  ['context.ts'],
  ['metrics/', 'processors/', 'delivery/wire/'],
  ['config.ts', 'listening.ts', 'parent-end.ts', 'wait-until-ready.ts'],
  ['setting-values.ts', 'start-error.ts'],
  ['kit/'],
];

/** What one room may open in another. All of `kit/` is open. */
export const doors = {
  audit: ['audit.service'],
  auth: [
    'auth.service',
    'keys/api-key.entity',
    'keys/api-keys.service',
    'keys/key-use',
    'merchants/merchant.entity',
    'merchants/merchants.service',
    'sessions/codes.service',
    'sessions/dashboard-session.entity',
    'sessions/dashboard-users.service',
    'sessions/session-visit',
    'sessions/two-step.service',
  ],
  database: [
    'connections',
    'daily-partitions',
    'embedded',
    'find-page',
    'outage',
    'place-page',
    'statement',
    'transaction',
  ],
  delivery: ['log/closed-hours.service', 'queue/bell', 'queue/publish'],
  http: ['page-headers'],
  kit: ['*'],
  metrics: ['metrics'],
  operation: ['failure-status', 'guesses', 'idempotency', 'operation', 'rate-limits'],
  payments: [
    'ask-processor',
    'attempts.service',
    'checkout.service',
    'get-processor',
    'payment-attempt.entity',
    'payment-hours.service',
    'payment.entity',
    'review.service',
  ],
  processors: ['port'],
  transfers: ['operator-payouts.service', 'transfer.entity'],
  wallets: ['ledger-account.entity', 'ledger-check.service', 'ledger-transaction.entity', 'wallets.service'],
  webhooks: ['endpoint.entity', 'webhooks.service'],
};

/** What the files that put the product together open besides. */
export const wiringDoors = {
  dashboard: ['build', 'built-files'],
  database: ['lost-connections', 'migrate', 'migrations/*'],
  delivery: ['dispatch/dispatcher', 'log/oldest-due.service', 'wire/keyring', 'wire/sender'],
  http: ['*'],
  metrics: ['measured-job'],
  processors: ['processors'],
};
