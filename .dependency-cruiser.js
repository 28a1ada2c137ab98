import { allExtensions } from 'dependency-cruiser';
import { packages } from './.dependency-cruiser.packages.js';
import { publicFiles, wings } from './server/layers.config.js';

// When dependency-cruiser finds no compiler that it can use, it skips all .ts files and reports no violation.
if (!allExtensions.some(({ extension, available }) => extension === '.ts' && available)) {
  throw new Error('dependency-cruiser finds no TypeScript compiler that it can use: run it with --info.');
}

const server = '^server/src/';
const routes = `${server}.*[.](operations|routes)[.]ts$`;
const entities = `${server}.*[.]entity[.]ts$`;
const views = `${server}.*[.]view[.]ts$`;
const transaction = `${server}platform/database/transaction[.]ts$`;

const placeIn = (name) => `${server}${name.replaceAll('.', '[.]')}${name.endsWith('/') ? '' : '$'}`;

/** The layers of the server from the top down: every module, and every wing that has no modules. */
const places = Object.entries(wings).flatMap(([wing, modules]) =>
  modules.length === 0 ? [wing] : modules.map((module) => wing + module),
);

const filesOf = Object.entries(publicFiles).map(
  ([wing, files]) => `${server}${wing}/(${files.join('|').replaceAll('*', '.+')})[.]ts$`,
);

const installed = (...names) => `(^|/)node_modules/(${names.join('|')})/`;
const express = installed('express', '@types/express', 'express-[^/]+', 'helmet', 'cookie-parser');
const storage = installed('@mikro-orm/[^/]+', 'kysely', 'pg', 'mongodb');

const libraries = [
  {
    name: 'express-in-the-shell',
    comment: 'Only files that handle HTTP requests import express.',
    from: {
      path: server,
      pathNot: `${server}(start/app[.]ts$|api/|pages/|.*[.]routes[.]ts$)`,
    },
    to: { path: express },
  },
  {
    name: 'agenda-in-the-schedule',
    comment: 'Only one module imports Agenda, which decides when recurring work runs.',
    from: { path: server, pathNot: `${server}platform/schedule/` },
    to: { path: installed('agenda', '@agendajs/[^/]+') },
  },
  {
    name: 'prom-client-in-the-metrics',
    comment: 'Modules count and measure. Only one of them knows the format in which the metrics are published.',
    from: { path: server, pathNot: `${server}telemetry/metrics/` },
    to: { path: installed('prom-client') },
  },
  {
    name: 'opentelemetry-in-one-module',
    comment:
      'Modules begin and end spans by `telemetry/tracing/tracer.ts`. Only two files know the library, and only where it is used.',
    from: { path: server, pathNot: `${server}telemetry/tracing/` },
    to: { path: installed('@opentelemetry/[^/]+') },
  },
  {
    name: 'undici-at-the-edge',
    comment: 'Only the sender of webhooks and the processors send requests to other services.',
    from: { path: server, pathNot: [`${server}wire/`, `${server}processors/`] },
    to: { path: installed('undici') },
  },
];

const layerRules = places.slice(1).map((name, index) => ({
  name: name.endsWith('/') ? `layers: ${name}` : 'layers',
  comment: 'A wing or module imports from itself and from what stands below it in `server/layers.config.js`.',
  from: { path: placeIn(name) },
  to: { path: places.slice(0, index + 1).map(placeIn) },
}));

const structure = [
  ...layerRules,
  {
    name: 'every-file-in-a-layer',
    comment: 'The layer rules do not hold for a file that is in no wing and module, so each file must be in one.',
    from: { path: server, pathNot: places.map(placeIn) },
    to: {},
  },
  {
    name: 'wings-through-public-files',
    comment:
      'A wing may import services, entities and views of another wing, and the files that `server/layers.config.js` lists.',
    from: { path: `${server}([^/]+)/`, pathNot: `${server}start/` },
    to: { path: `${server}[^/]+/`, pathNot: [`${server}$1/`, `${server}.*[.](service|entity|view)[.]ts$`, ...filesOf] },
  },
  {
    name: 'contract-types-at-the-edge',
    comment: 'Services use entities and plain values. Types of the contract are used only where requests are answered.',
    from: {
      path: server,
      pathNot: [
        `${server}.*[.](operations|view)[.]ts$`,
        `${server}(wire/event-body|webhooks/endpoints/subscription|kit/(errors|money|web-address)|pages/docs/docs[.]routes|start/(app|service)|main)[.]ts$`,
        `${server}(api|operation)/`,
      ],
    },
    to: {
      path: '^openapi/',
      pathNot: '^openapi/rules/(return-address|service-address|payment-link|tls-failures|fields|unread-request)[.]ts$',
    },
  },
  {
    name: 'entities-import-only-entities',
    comment: 'An entity uses no clock, no configuration and no service.',
    from: { path: entities },
    to: { path: server, pathNot: [entities, `${server}kit/`] },
  },
  {
    name: 'routes-never-touch-the-database',
    comment:
      'A route passes its input to a service and shows the result. It may open a transaction but must not query.',
    from: { path: routes },
    to: { path: [`${server}platform/database/`, storage], pathNot: transaction, dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'views-never-query',
    comment: 'A view makes a contract value from its arguments alone.',
    from: { path: views },
    to: { path: [`${server}platform/database/`, storage], dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'help-loads-no-service',
    comment: 'A command imports services when it runs. Help and completion would wait for a static import.',
    from: { path: `${server}cli/`, pathNot: `${server}cli/(choose-merchant|in-database)[.]ts$` },
    to: { path: server, pathNot: `${server}(cli|kit)/`, dynamic: false, dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'transactions-at-entry-points',
    comment: 'Pages, processor webhooks, jobs and commands open transactions. The code that they call runs inside one.',
    from: {
      path: `${server}(.*[.](operations|service|view)|webhooks/queue/(publish|claim)|wire/sender)[.]ts$`,
      pathNot: `${server}pages/checkout/`,
    },
    to: { path: transaction, dependencyTypesNot: ['type-only'] },
  },
];

const hygiene = [
  {
    name: 'no-cycles',
    comment: 'Type-only imports count too: two files that need each other belong in one file.',
    from: {},
    to: { circular: true },
  },
  {
    name: 'no-orphans',
    comment:
      'A file is not part of the program when it imports no file and no file imports it. The Dockerfile names probe.js, and the dashboard’s vite.config.ts theme-first.js.',
    from: {
      orphan: true,
      pathNot: [
        '[.]d[.]ts$',
        '[.]config[.][jt]s$',
        '/assets/',
        '/migrations/',
        '^server/bin/probe[.]js$',
        '/theme-first[.]js$',
      ],
    },
    to: {},
  },
  { name: 'no-unresolvable', comment: 'Every imported file exists.', from: {}, to: { couldNotResolve: true } },
  {
    name: 'no-undeclared',
    comment:
      'The package.json of a package lists every package that it imports. That of `lab/` lists only those that the root does not have.',
    from: { pathNot: '^lab/' },
    to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
  },
  { name: 'no-deprecated', comment: 'It is no longer maintained.', from: {}, to: { dependencyTypes: ['deprecated'] } },
  {
    name: 'names-that-say-something',
    comment: 'These names fit any file, so they say nothing about it.',
    from: {},
    to: {
      path: '(^|/)(utils?|helpers?|common|managers?|handlers?|data|info|misc|types|interfaces|constants)(/|[.]tsx?$)',
      pathNot: ['node_modules/', '/generated/'],
    },
  },
];

export default {
  forbidden: [...packages, ...libraries, ...structure, ...hygiene].map((rule) => ({ severity: 'error', ...rule })),
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@tillhook/source', 'import', 'node', 'default', 'types'],
      mainFields: ['main', 'types'],
    },
  },
};
