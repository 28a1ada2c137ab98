// The files of a small product, each with its imports: files that break no rule, and for each rule one culprit that
// breaks it. Each culprit breaks only one rule, so that the rules must report exactly this list.

/** What each file imports; `type ` in front makes the import type-only. */
export type Imports = Record<string, readonly string[]>;

export interface Culprit {
  from: string;
  imports: string;
  /** The imported file, as the rules name it. */
  to: string;
}

export const lawful: Imports = {
  'openapi/inside.ts': [],
  'openapi/index.ts': ['./inside.ts'],
  'openapi/refusals/inside.ts': [],
  'openapi/refusals/problems.ts': ['./inside.ts'],
  'sdk/src/webhooks.ts': [],
  'sdk/src/index.ts': ['type @tillhook/openapi', './webhooks.ts'],
  'mock/src/api.ts': [
    '@tillhook/openapi',
    '@tillhook/openapi/refusals/problems',
    '@tillhook/sdk',
    '@tillhook/sdk/webhooks',
  ],
  'server/dashboard/src/main.ts': ['@tillhook/sdk'],

  'server/src/kit/money.ts': [],
  'server/src/kit/errors.ts': ['type @tillhook/openapi'],
  'server/src/config.ts': ['./kit/money.ts'],
  'server/src/metrics/watched-gauge.ts': ['prom-client'],
  'server/src/metrics/metrics.ts': ['prom-client', './watched-gauge.ts'],
  'server/src/processors/port.ts': ['../kit/money.ts'],
  'server/src/processors/stripe.ts': ['undici', './port.ts'],
  'server/src/processors/processors.ts': ['./stripe.ts'],
  'server/src/context.ts': ['type ./config.ts', 'type ./metrics/metrics.ts', 'type @mikro-orm/core'],
  'server/src/database/transaction.ts': ['type ../context.ts'],
  'server/src/operation/operation.ts': ['type @tillhook/openapi', '../database/transaction.ts'],
  'server/src/audit/audit.service.ts': ['../context.ts'],
  'server/src/auth/keys/api-key.entity.ts': ['@mikro-orm/core'],
  'server/src/auth/auth.service.ts': ['../context.ts', './keys/api-key.entity.ts'],
  'server/src/webhooks/endpoint.entity.ts': ['../kit/money.ts'],
  'server/src/delivery/wire/event-body.ts': ['type @tillhook/openapi'],
  'server/src/delivery/wire/sender.ts': ['undici'],
  'server/src/delivery/queue/publish.ts': ['../../webhooks/endpoint.entity.ts', '../wire/event-body.ts'],
  'server/src/delivery/dispatch/dispatcher.ts': ['../wire/sender.ts', '../../database/transaction.ts'],
  'server/src/delivery/log/prune.job.ts': ['../../database/transaction.ts'],
  'server/src/payments/payment.entity.ts': ['../kit/money.ts', '../kit/errors.ts'],
  'server/src/payments/payment.view.ts': ['type @tillhook/openapi', 'type @mikro-orm/core', './payment.entity.ts'],
  'server/src/payments/settle.ts': ['./payment.entity.ts', '../delivery/queue/publish.ts', '../processors/port.ts'],
  'server/src/payments/checkout.service.ts': ['./settle.ts', '../auth/auth.service.ts', '@mikro-orm/core'],
  'server/src/payments/payments.operations.ts': [
    'type @tillhook/openapi',
    '../operation/operation.ts',
    './checkout.service.ts',
    './payment.view.ts',
  ],
  'server/src/http/page-headers.ts': ['type express'],
  'server/src/http/validation-error.ts': ['@tillhook/openapi/refusals/problems'],
  'server/src/http/security.ts': ['../auth/auth.service.ts', '../audit/audit.service.ts', '../operation/operation.ts'],
  'server/src/checkout-page/routes.ts': [
    'express',
    '../payments/checkout.service.ts',
    '../http/page-headers.ts',
    '../database/transaction.ts',
  ],
  'server/src/docs-portal/docs.routes.ts': ['express', 'type @tillhook/openapi', '@tillhook/sdk/webhooks'],
  'server/src/checkout-page/checkout.routes.ts': ['./routes.ts'],
  'server/src/schedule/run-jobs.ts': ['agenda', './scheduled-job.ts'],
  'server/src/schedule/scheduled-job.ts': [],
  'server/src/operations.ts': ['./payments/payments.operations.ts'],
  'server/src/orm.ts': ['./payments/payment.entity.ts', './webhooks/endpoint.entity.ts'],
  'server/src/recurring-work.ts': ['./schedule/scheduled-job.ts', './delivery/log/prune.job.ts'],
  'server/src/app.ts': [
    'express',
    './operations.ts',
    './http/security.ts',
    './http/validation-error.ts',
    './checkout-page/checkout.routes.ts',
    './docs-portal/docs.routes.ts',
  ],
  'server/src/background.ts': ['./recurring-work.ts', './delivery/dispatch/dispatcher.ts'],
  'server/src/service.ts': [
    '@tillhook/openapi',
    './app.ts',
    './background.ts',
    './orm.ts',
    './processors/processors.ts',
  ],
  'server/src/tillhook.ts': ['./service.ts'],
  'server/src/main.ts': ['./tillhook.ts', './config.ts'],
  'server/src/cli/keys.ts': ['../auth/auth.service.ts', '../database/transaction.ts', '../tillhook.ts'],

  'test/support/service.ts': ['@tillhook/server', '@tillhook/sdk', '@tillhook/mock/api'],
  'test/unit/settle.test.ts': ['../../server/src/payments/settle.ts', '../support/service.ts', '@tillhook/openapi'],

  'lab/rate.ts': ['@tillhook/test/support/service.ts', '@tillhook/server', 'express'],
};

/** Further files that some culprits need. */
export const culpritContext: Imports = {
  'server/src/database/outage.ts': [],
  'server/src/products/utils.ts': [],
  'test/support/server/tillhook.ts': [],
  'server/src/wallets/egg.ts': ['type ./chicken.ts'],
};

export const culprits: Record<string, Culprit> = {
  'nothing-imports-test': {
    from: 'mock/src/borrows-from-tests.ts',
    imports: 'type ../../test/support/service.ts',
    to: 'test/support/service.ts',
  },
  'nothing-imports-lab': { from: 'test/rate.test.ts', imports: 'type ../lab/rate.ts', to: 'lab/rate.ts' },
  'unit-tests-need-no-service': {
    from: 'test/unit/calls.test.ts',
    imports: '../support/server/tillhook.ts',
    to: 'test/support/server/tillhook.ts',
  },
  'openapi-imports-no-package': { from: 'openapi/circular.ts', imports: 'type @tillhook/sdk', to: 'sdk/src/index.ts' },
  'sdk-imports-no-server': {
    from: 'sdk/src/peeks.ts',
    imports: 'type @tillhook/server',
    to: 'server/src/tillhook.ts',
  },
  'sdk-takes-only-types-from-openapi': {
    from: 'sdk/src/carries-the-contract.ts',
    imports: '@tillhook/openapi',
    to: 'openapi/index.ts',
  },
  'mock-imports-no-server': {
    from: 'mock/src/agrees.ts',
    imports: 'type @tillhook/server',
    to: 'server/src/tillhook.ts',
  },
  'server-imports-no-sdk': {
    from: 'server/src/delivery/wire/borrowed-signature.ts',
    imports: '@tillhook/sdk/webhooks',
    to: 'sdk/src/webhooks.ts',
  },
  'portal-and-cli-use-only-sdk-webhooks': {
    from: 'server/src/docs-portal/console.ts',
    imports: '@tillhook/sdk',
    to: 'sdk/src/index.ts',
  },
  'dashboard-kit-imports-no-room': {
    from: 'server/dashboard/src/kit/fields.ts',
    imports: '../main.ts',
    to: 'server/dashboard/src/main.ts',
  },
  'dashboard-knows-only-the-sdk': {
    from: 'server/dashboard/src/shortcut.ts',
    imports: 'type ../../src/kit/money.ts',
    to: 'server/src/kit/money.ts',
  },
  'packages-through-doors': {
    from: 'test/support/through-the-window.ts',
    imports: 'type ../../openapi/refusals/inside.ts',
    to: 'openapi/refusals/inside.ts',
  },
  'packages-by-name': {
    from: 'mock/src/by-path.ts',
    imports: '../../sdk/src/index.ts',
    to: 'sdk/src/index.ts',
  },
  'express-in-the-shell': {
    from: 'server/src/payments/refunds.operations.ts',
    imports: 'type express',
    to: 'node_modules/express/index.js',
  },
  'agenda-in-the-schedule': {
    from: 'server/src/delivery/log/remind.job.ts',
    imports: 'agenda',
    to: 'node_modules/agenda/index.js',
  },
  'prom-client-in-the-metrics': {
    from: 'server/src/webhooks/tally.ts',
    imports: 'prom-client',
    to: 'node_modules/prom-client/index.js',
  },
  'opentelemetry-in-one-room': {
    from: 'server/src/webhooks/traced.ts',
    imports: '@opentelemetry/api',
    to: 'node_modules/@opentelemetry/api/index.js',
  },
  'undici-at-the-edge': {
    from: 'server/src/webhooks/ping.ts',
    imports: 'undici',
    to: 'node_modules/undici/index.js',
  },
  'contract-types-at-the-edge': {
    from: 'server/src/payments/refunds.service.ts',
    imports: 'type @tillhook/openapi',
    to: 'openapi/index.ts',
  },
  layers: { from: 'server/src/parent-end.ts', imports: 'type ./context.ts', to: 'server/src/context.ts' },
  'every-file-in-a-layer': {
    from: 'server/src/disputes/dispute.ts',
    imports: '../kit/money.ts',
    to: 'server/src/kit/money.ts',
  },
  'rooms-through-doors': {
    from: 'server/src/statistics/borrows.ts',
    imports: 'type ../payments/settle.ts',
    to: 'server/src/payments/settle.ts',
  },
  'wiring-through-doors': {
    from: 'server/src/seed.ts',
    imports: './payments/settle.ts',
    to: 'server/src/payments/settle.ts',
  },
  'http-knows-two-rooms': {
    from: 'server/src/http/probes.ts',
    imports: 'type ../processors/port.ts',
    to: 'server/src/processors/port.ts',
  },
  'entities-import-only-entities': {
    from: 'server/src/payments/attempt.entity.ts',
    imports: 'type ../context.ts',
    to: 'server/src/context.ts',
  },
  'routes-never-touch-the-database': {
    from: 'server/src/transfers/transfers.operations.ts',
    imports: '../database/outage.ts',
    to: 'server/src/database/outage.ts',
  },
  'views-never-query': {
    from: 'server/src/transfers/transfer.view.ts',
    imports: '@mikro-orm/core',
    to: 'node_modules/@mikro-orm/core/index.js',
  },
  'transactions-at-entry-points': {
    from: 'server/src/wallets/wallets.service.ts',
    imports: '../database/transaction.ts',
    to: 'server/src/database/transaction.ts',
  },
  'no-cycles': {
    from: 'server/src/wallets/chicken.ts',
    imports: 'type ./egg.ts',
    to: 'server/src/wallets/egg.ts',
  },
  'no-orphans': { from: 'sdk/src/forgotten.ts', imports: '', to: 'sdk/src/forgotten.ts' },
  'no-unresolvable': { from: 'mock/src/lost.ts', imports: './nowhere.ts', to: './nowhere.ts' },
  'no-undeclared': {
    from: 'server/src/products/smuggled.ts',
    imports: 'undeclared',
    to: 'node_modules/undeclared/index.js',
  },
  'no-deprecated': {
    from: 'server/src/products/nostalgic.ts',
    imports: 'abandoned',
    to: 'node_modules/abandoned/index.js',
  },
  'names-that-say-something': {
    from: 'server/src/products/products.service.ts',
    imports: './utils.ts',
    to: 'server/src/products/utils.ts',
  },
};
