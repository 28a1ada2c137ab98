/**
 * The layers of the server, from the top down. The files and folders of a line may import from the lines below, but not
 * from the lines above and not from each other. The first five lines are the wiring, which imports rooms and is no
 * room.
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
  ['refunds/'],
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

/** The doors: the files of each room that other rooms may import. In `kit/`, all files are doors. */
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
    'read-in-batches',
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
    'payment.view',
    'payments.service',
    'review.service',
  ],
  processors: ['port'],
  transfers: ['operator-payouts.service', 'transfer.entity'],
  wallets: ['ledger-account.entity', 'ledger-check.service', 'ledger-transaction.entity', 'wallets.service'],
  webhooks: ['endpoint.entity', 'webhooks.service'],
};

/** More files of each room, which only the wiring may import. */
export const wiringDoors = {
  dashboard: ['build', 'built-files'],
  database: ['lost-connections', 'migrate', 'migrations/*'],
  delivery: ['dispatch/dispatcher', 'log/oldest-due.service', 'wire/keyring', 'wire/sender'],
  http: ['*'],
  metrics: ['measured-job'],
  processors: ['processors'],
};
