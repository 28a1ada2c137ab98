/**
 * The wings of the server, from the top down, with their modules. A file may import only from its own module, and from
 * wings and modules below.
 * See docs/decisions/process.md, "The tree is the order of the layers".
 */
export const wings = {
  'main.ts': [],
  'cli/': [],
  'start/': [],
  'pages/': ['home/', 'mails/', 'checkout/', 'dashboard/', 'docs/'],
  'statistics/': [],
  'test-time/': [],
  'money/': ['processor-events/', 'refunds/', 'payments/', 'mails/', 'transfers/', 'products/', 'wallets/', 'processor-outages.ts'],
  'webhooks/': ['log/', 'events/', 'dispatch/', 'queue/', 'endpoints/'],
  'api/': [],
  'people/': [
    'company/',
    'logos/',
    'auth.service.ts',
    'keys/',
    'notifications/',
    'sessions/',
    'passkeys/',
    'merchants/',
    'audit/',
  ],
  'operation/': [],
  'platform/': ['mail/', 'schedule/', 'database/'],
  'context.ts': [],
  'wire/': [],
  'processors/': [],
  'telemetry/': ['tracing/', 'metrics/'],
  'config/': [],
  'kit/': [],
};

/** The files that other wings may import, besides services, entities and views. `*` stands for all files of a wing. */
export const publicFiles = {
  start: ['*'],
  money: ['payments/ask-processor', 'payments/expire-checkouts.job', 'payments/get-processor'],
  webhooks: ['queue/publish'],
  api: ['bodies', 'page-headers', 'session-cookie'],
  people: ['company/issuer', 'keys/calling-key', 'sessions/require-proof'],
  operation: ['*'],
  platform: [
    'database/connection/connections',
    'database/connection/long-statements',
    'database/connection/outage',
    'database/constraint-errors',
    'database/embedded/embedded',
    'database/entity-rows',
    'database/lists/find-page',
    'database/lists/place-page',
    'database/lists/read-in-batches',
    'database/reencrypt',
    'database/schema/daily-partitions',
    'database/statement',
    'database/transaction',
    'mail/layout',
  ],
  wire: ['*'],
  processors: ['answer-in-time', 'port'],
  telemetry: ['metrics/metrics', 'tracing/tracer'],
  config: ['*'],
  kit: ['*'],
};
