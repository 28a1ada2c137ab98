// A sample product as a list of files with their imports. A culprit is a file that breaks a rule.

/** An import that begins with `type ` is a type-only import. */
export type Imports = Record<string, readonly string[]>;

export interface Culprit {
  from: string;
  imports: string;
  to: string;
}

export const lawful: Imports = {
  'openapi/model/model.ts': [],
  'openapi/rules/problems.ts': ['../model/model.ts'],
  'openapi/generate/served-document.ts': ['../rules/problems.ts'],
  'openapi/release/plan.ts': ['../generate/served-document.ts'],
  'openapi/index.ts': ['./model/model.ts'],
  'sdk/src/webhooks.ts': [],
  'sdk/src/index.ts': ['type @tillhook/openapi', './webhooks.ts'],
  'developer/src/sending/sender.ts': ['@tillhook/sdk/webhooks'],
  'developer/src/program.ts': ['./sending/sender.ts'],
  'mock/src/commands/mock.ts': ['../api.ts', '@tillhook/developer/program'],
  'mock/src/listening.ts': [],
  'mock/src/api.ts': [
    './listening.ts',
    '@tillhook/openapi',
    '@tillhook/openapi/rules/problems',
    '@tillhook/sdk',
    '@tillhook/sdk/webhooks',
  ],
  'server/dashboard/src/main.ts': ['@tillhook/sdk'],

  'server/src/kit/money.ts': [],
  'server/src/kit/errors.ts': ['type @tillhook/openapi'],
  'server/src/config/config.ts': ['../kit/money.ts'],
  'server/src/telemetry/metrics/watched-gauge.ts': ['prom-client'],
  'server/src/telemetry/metrics/metrics.ts': ['prom-client', './watched-gauge.ts'],
  'server/src/processors/port.ts': ['../kit/money.ts'],
  'server/src/processors/stripe/payments.ts': ['undici', '../port.ts'],
  'server/src/processors/processors.ts': ['./stripe/payments.ts'],
  'server/src/context.ts': ['type ./config/config.ts', 'type ./telemetry/metrics/metrics.ts', 'type @mikro-orm/core'],
  'server/src/platform/database/transaction.ts': ['type ../../context.ts'],
  'server/src/operation/operation.ts': ['type @tillhook/openapi', '../platform/database/transaction.ts'],
  'server/src/people/audit/audit.service.ts': ['../../context.ts'],
  'server/src/people/keys/api-key.entity.ts': ['@mikro-orm/core'],
  'server/src/people/auth.service.ts': ['../context.ts', './keys/api-key.entity.ts'],
  'server/src/webhooks/endpoints/endpoint.entity.ts': ['../../kit/money.ts'],
  'server/src/wire/event-body.ts': ['type @tillhook/openapi'],
  'server/src/wire/sender.ts': ['undici'],
  'server/src/webhooks/queue/publish.ts': ['../endpoints/endpoint.entity.ts', '../../wire/event-body.ts'],
  'server/src/webhooks/dispatch/dispatcher.ts': ['../../wire/sender.ts', '../../platform/database/transaction.ts'],
  'server/src/webhooks/log/prune.job.ts': ['../../platform/database/transaction.ts'],
  'server/src/money/payments/payment.entity.ts': ['../../kit/money.ts', '../../kit/errors.ts'],
  'server/src/money/payments/payment.view.ts': [
    'type @tillhook/openapi',
    'type @mikro-orm/core',
    './payment.entity.ts',
  ],
  'server/src/money/payments/settle.ts': [
    './payment.entity.ts',
    '../../webhooks/queue/publish.ts',
    '../../processors/port.ts',
  ],
  'server/src/money/payments/checkout.service.ts': ['./settle.ts', '../../people/auth.service.ts', '@mikro-orm/core'],
  'server/src/money/payments/payments.operations.ts': [
    'type @tillhook/openapi',
    '../../operation/operation.ts',
    './checkout.service.ts',
    './payment.view.ts',
  ],
  'server/src/api/page-headers.ts': ['type express'],
  'server/src/api/validation-error.ts': ['@tillhook/openapi/rules/problems'],
  'server/src/api/security.ts': [
    '../people/auth.service.ts',
    '../people/audit/audit.service.ts',
    '../operation/operation.ts',
  ],
  'server/src/pages/checkout/routes.ts': [
    'express',
    '../../money/payments/checkout.service.ts',
    '../../api/page-headers.ts',
    '../../platform/database/transaction.ts',
  ],
  'server/src/pages/docs/docs.routes.ts': ['express', 'type @tillhook/openapi'],
  'server/docs/src/docs-files.ts': ['@tillhook/openapi', '@tillhook/sdk/webhooks', '../../src/kit/money.ts'],
  'server/src/pages/checkout/checkout.routes.ts': ['./routes.ts'],
  'server/src/platform/schedule/run-jobs.ts': ['agenda', './scheduled-job.ts'],
  'server/src/platform/schedule/scheduled-job.ts': [],
  'server/src/start/operations.ts': ['../money/payments/payments.operations.ts'],
  'server/src/start/orm.ts': ['../money/payments/payment.entity.ts', '../webhooks/endpoints/endpoint.entity.ts'],
  'server/src/start/recurring-work.ts': ['../platform/schedule/scheduled-job.ts', '../webhooks/log/prune.job.ts'],
  'server/src/start/app.ts': [
    'express',
    './operations.ts',
    '../api/security.ts',
    '../api/validation-error.ts',
    '../pages/checkout/checkout.routes.ts',
    '../pages/docs/docs.routes.ts',
  ],
  'server/src/start/background.ts': ['./recurring-work.ts', '../webhooks/dispatch/dispatcher.ts'],
  'server/src/start/service.ts': [
    '@tillhook/openapi',
    './app.ts',
    './background.ts',
    './orm.ts',
    '../processors/processors.ts',
  ],
  'server/src/start/tillhook.ts': ['./service.ts'],
  'server/src/main.ts': ['./start/tillhook.ts', './config/config.ts'],
  'server/src/cli/keys.ts': ['type ../people/auth.service.ts', './in-database.ts'],
  'server/src/cli/in-database.ts': [
    '../people/auth.service.ts',
    '../platform/database/transaction.ts',
    '../start/tillhook.ts',
  ],

  'test/support/server/service.ts': ['@tillhook/server', '@tillhook/sdk', '@tillhook/mock/api'],
  'test/money/settle.test.ts': [
    '../../server/src/money/payments/settle.ts',
    '../support/server/service.ts',
    '@tillhook/openapi',
  ],

  'lab/rate.ts': ['@tillhook/test/support/server/service.ts', '@tillhook/server', 'express'],
};

/** Files that exist only so that the culprits can import them. */
export const culpritContext: Imports = {
  'server/src/start/prepare.ts': [],
  'server/src/platform/database/connection/outage.ts': [],
  'server/src/money/products/utils.ts': [],
  'test/support/run/run.ts': [],
  'test/support/server/tillhook.ts': [],
  'server/src/money/wallets/egg.ts': ['type ./chicken.ts'],
};

export const culprits: Record<string, Culprit> = {
  'nothing-imports-test': {
    from: 'mock/src/memory/borrows-from-tests.ts',
    imports: 'type ../../../test/support/server/service.ts',
    to: 'test/support/server/service.ts',
  },
  'nothing-imports-lab': { from: 'test/rate.test.ts', imports: 'type ../lab/rate.ts', to: 'lab/rate.ts' },
  'unit-tests-need-no-service': {
    from: 'test/unit/calls.test.ts',
    imports: '../support/server/tillhook.ts',
    to: 'test/support/server/tillhook.ts',
  },
  'openapi-imports-no-package': {
    from: 'openapi/model/circular.ts',
    imports: 'type @tillhook/sdk',
    to: 'sdk/src/index.ts',
  },
  'sdk-imports-no-server': {
    from: 'sdk/src/peeks.ts',
    imports: 'type @tillhook/server',
    to: 'server/src/start/tillhook.ts',
  },
  'sdk-takes-only-types-from-openapi': {
    from: 'sdk/src/carries-the-contract.ts',
    imports: '@tillhook/openapi',
    to: 'openapi/index.ts',
  },
  'mock-imports-no-server': {
    from: 'mock/src/memory/agrees.ts',
    imports: 'type @tillhook/server',
    to: 'server/src/start/tillhook.ts',
  },
  'developer-imports-no-mock': {
    from: 'developer/src/commands/serves.ts',
    imports: 'type @tillhook/mock/api',
    to: 'mock/src/api.ts',
  },
  order: { from: 'mock/src/receiver.ts', imports: 'type ./api.ts', to: 'mock/src/api.ts' },
  'every-file-in-the-order': { from: 'mock/src/loose.ts', imports: './listening.ts', to: 'mock/src/listening.ts' },
  'server-imports-no-sdk': {
    from: 'server/src/wire/borrowed-signature.ts',
    imports: '@tillhook/sdk/webhooks',
    to: 'sdk/src/webhooks.ts',
  },
  'docs-and-cli-use-only-sdk-webhooks': {
    from: 'server/docs/src/console.ts',
    imports: '@tillhook/sdk',
    to: 'sdk/src/index.ts',
  },
  'server-imports-no-docs-and-dashboard': {
    from: 'server/src/pages/docs/makes-pages.ts',
    imports: 'type ../../../docs/src/docs-files.ts',
    to: 'server/docs/src/docs-files.ts',
  },
  'docs-use-kit-and-docs-of-the-server': {
    from: 'server/docs/src/settings.ts',
    imports: 'type ../../src/config/config.ts',
    to: 'server/src/config/config.ts',
  },
  'dashboard-kit-imports-no-module': {
    from: 'server/dashboard/src/kit/fields.ts',
    imports: '../main.ts',
    to: 'server/dashboard/src/main.ts',
  },
  'dashboard-knows-only-the-sdk': {
    from: 'server/dashboard/src/shortcut.ts',
    imports: 'type ../../src/kit/money.ts',
    to: 'server/src/kit/money.ts',
  },
  'packages-through-public-files': {
    from: 'test/support/server/through-the-window.ts',
    imports: 'type ../../../openapi/model/model.ts',
    to: 'openapi/model/model.ts',
  },
  'packages-by-name': {
    from: 'mock/src/memory/by-path.ts',
    imports: '../../../sdk/src/index.ts',
    to: 'sdk/src/index.ts',
  },
  'express-in-the-shell': {
    from: 'server/src/money/payments/refunds.operations.ts',
    imports: 'type express',
    to: 'node_modules/express/index.js',
  },
  'agenda-in-the-schedule': {
    from: 'server/src/webhooks/log/remind.job.ts',
    imports: 'agenda',
    to: 'node_modules/agenda/index.js',
  },
  'prom-client-in-the-metrics': {
    from: 'server/src/webhooks/endpoints/tally.ts',
    imports: 'prom-client',
    to: 'node_modules/prom-client/index.js',
  },
  'opentelemetry-in-one-module': {
    from: 'server/src/webhooks/endpoints/traced.ts',
    imports: '@opentelemetry/api',
    to: 'node_modules/@opentelemetry/api/index.js',
  },
  'undici-at-the-edge': {
    from: 'server/src/webhooks/endpoints/ping.ts',
    imports: 'undici',
    to: 'node_modules/undici/index.js',
  },
  'contract-types-at-the-edge': {
    from: 'server/src/money/payments/refunds.service.ts',
    imports: 'type @tillhook/openapi',
    to: 'openapi/index.ts',
  },
  layers: {
    from: 'server/src/context.ts',
    imports: 'type ./start/prepare.ts',
    to: 'server/src/start/prepare.ts',
  },
  'every-file-in-a-layer': {
    from: 'server/src/disputes/dispute.ts',
    imports: '../kit/money.ts',
    to: 'server/src/kit/money.ts',
  },
  'wings-through-public-files': {
    from: 'server/src/statistics/borrows.ts',
    imports: 'type ../money/payments/settle.ts',
    to: 'server/src/money/payments/settle.ts',
  },
  'entities-import-only-entities': {
    from: 'server/src/money/payments/attempt.entity.ts',
    imports: 'type ../../context.ts',
    to: 'server/src/context.ts',
  },
  'routes-never-touch-the-database': {
    from: 'server/src/money/transfers/transfers.operations.ts',
    imports: '../../platform/database/connection/outage.ts',
    to: 'server/src/platform/database/connection/outage.ts',
  },
  'views-never-query': {
    from: 'server/src/money/transfers/transfer.view.ts',
    imports: '@mikro-orm/core',
    to: 'node_modules/@mikro-orm/core/index.js',
  },
  'help-loads-no-service': {
    from: 'server/src/cli/users.ts',
    imports: '../people/auth.service.ts',
    to: 'server/src/people/auth.service.ts',
  },
  'transactions-at-entry-points': {
    from: 'server/src/money/wallets/wallets.service.ts',
    imports: '../../platform/database/transaction.ts',
    to: 'server/src/platform/database/transaction.ts',
  },
  'no-cycles': {
    from: 'server/src/money/wallets/chicken.ts',
    imports: 'type ./egg.ts',
    to: 'server/src/money/wallets/egg.ts',
  },
  'no-orphans': { from: 'sdk/src/forgotten.ts', imports: '', to: 'sdk/src/forgotten.ts' },
  'no-unresolvable': { from: 'mock/src/memory/lost.ts', imports: './nowhere.ts', to: './nowhere.ts' },
  'no-undeclared': {
    from: 'server/src/money/products/smuggled.ts',
    imports: 'undeclared',
    to: 'node_modules/undeclared/index.js',
  },
  'no-deprecated': {
    from: 'server/src/money/products/nostalgic.ts',
    imports: 'abandoned',
    to: 'node_modules/abandoned/index.js',
  },
  'names-that-say-something': {
    from: 'server/src/money/products/products.service.ts',
    imports: './utils.ts',
    to: 'server/src/money/products/utils.ts',
  },
};
