import { allExtensions } from 'dependency-cruiser';
import { packages } from './.dependency-cruiser.packages.js';
import { doors, layers, wiringDoors } from './server/layers.config.js';

// When dependency-cruiser finds no compiler that it can use, it skips all .ts files and reports no violation.
if (!allExtensions.some(({ extension, available }) => extension === '.ts' && available)) {
  throw new Error('dependency-cruiser finds no TypeScript compiler that it can use: run it with --info.');
}

const server = '^server/src/';
const routes = `${server}.*[.](operations|routes)[.]ts$`;
const jobs = `${server}.*[.]job[.]ts$`;
const entities = `${server}.*[.]entity[.]ts$`;
const views = `${server}.*[.]view[.]ts$`;
const transaction = `${server}database/transaction[.]ts$`;

/** Patterns for files and folders of `server/src/`. The name of a folder ends with a slash. */
const placesIn = (names) =>
  names.map((name) => `${server}${name.replaceAll('.', '[.]')}${name.endsWith('/') ? '' : '$'}`);

const pattern = (file) => file.replaceAll('.', '[.]').replaceAll('*', '.+');
const filesOf = (rooms) =>
  Object.entries(rooms).map(([room, files]) => `${server}${room}/(${files.map(pattern).join('|')})[.]ts$`);

const installed = (...names) => `(^|/)node_modules/(${names.join('|')})/`;
const express = installed('express', '@types/express', 'express-[^/]+', 'helmet', 'cookie-parser');
const storage = installed('@mikro-orm/[^/]+', 'kysely', 'pg', 'mongodb');

const libraries = [
  {
    name: 'express-in-the-shell',
    comment: 'Only files that handle HTTP requests import express.',
    from: {
      path: server,
      pathNot: `${server}(app[.]ts$|http/|checkout-page/|docs-portal/|.*[.]routes[.]ts$)`,
    },
    to: { path: express },
  },
  {
    name: 'agenda-in-the-schedule',
    comment: 'Only one room imports Agenda, which decides when recurring work runs.',
    from: { path: server, pathNot: `${server}schedule/` },
    to: { path: installed('agenda', '@agendajs/[^/]+') },
  },
  {
    name: 'prom-client-in-the-metrics',
    comment: 'Rooms count and measure. Only one room knows the format in which the metrics are published.',
    from: { path: server, pathNot: `${server}metrics/` },
    to: { path: installed('prom-client') },
  },
  {
    name: 'opentelemetry-in-one-room',
    comment:
      'Rooms begin and end spans by `tracing/tracer.ts`. Only two files know the library, and only where it is used.',
    from: { path: server, pathNot: `${server}tracing/` },
    to: { path: installed('@opentelemetry/[^/]+') },
  },
  {
    name: 'undici-at-the-edge',
    comment: 'Only the sender of webhooks and the processors send requests to other services.',
    from: { path: server, pathNot: [`${server}delivery/wire/`, `${server}processors/`] },
    to: { path: installed('undici') },
  },
];

const layerRules = layers.flatMap((layer, index) =>
  layer.map((name) => ({
    name: name.endsWith('/') ? `layers: ${name}` : 'layers',
    comment: 'What a layer lists imports from itself and from lower layers, not from others of its layer or above.',
    from: { path: placesIn([name]) },
    to: { path: placesIn([...layers.slice(0, index).flat(), ...layer.filter((other) => other !== name)]) },
  })),
);

const rooms = [
  ...layerRules,
  {
    name: 'every-file-in-a-layer',
    comment: 'The layer rules do not hold for a file that is in no layer, so each file must be in one.',
    from: { path: server, pathNot: placesIn(layers.flat()) },
    to: {},
  },
  {
    name: 'rooms-through-doors',
    comment: 'A room imports another room only through its doors, which `server/layers.config.js` lists.',
    from: { path: `${server}([^/]+)/` },
    to: { path: `${server}[^/]+/`, pathNot: [`${server}$1/`, ...filesOf(doors)] },
  },
  {
    name: 'wiring-through-doors',
    comment: 'The wiring imports operations, routes, jobs, entities, and the doors of `server/layers.config.js`.',
    from: { path: `${server}[^/]+[.]ts$` },
    to: { path: `${server}[^/]+/`, pathNot: [routes, jobs, entities, ...filesOf(doors), ...filesOf(wiringDoors)] },
  },
  {
    name: 'http-knows-two-rooms',
    comment:
      'The HTTP layer authenticates callers and writes audit entries. It knows nothing about what operations do.',
    from: { path: `${server}http/` },
    to: { path: `${server}[^/]+/`, pathNot: `${server}(http|auth|audit|operation|database|kit)/` },
  },
  {
    name: 'contract-types-at-the-edge',
    comment: 'Services use entities and plain values. Types of the contract are used only where requests are answered.',
    from: {
      path: server,
      pathNot: [
        `${server}.*[.](operations|view)[.]ts$`,
        `${server}(delivery/wire/event-body|webhooks/subscription|kit/(errors|money|web-address)|app|main|service)[.]ts$`,
        `${server}(http|operation|docs-portal)/`,
      ],
    },
    to: {
      path: '^openapi/',
      pathNot: '^openapi/(return-address|service-address|tls-failures|refusals/(fields|unread-request))[.]ts$',
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
    to: { path: [`${server}database/`, storage], pathNot: transaction, dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'views-never-query',
    comment: 'A view makes a contract value from its arguments alone.',
    from: { path: views },
    to: { path: [`${server}database/`, storage], dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'transactions-at-entry-points',
    comment: 'Pages, processor webhooks, jobs and commands open transactions. The code that they call runs inside one.',
    from: {
      path: `${server}(.*[.](operations|service|view)|delivery/(queue/(publish|claim)|wire/sender))[.]ts$`,
      pathNot: `${server}checkout-page/`,
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
      'A file is not part of the program when it imports no file and no file imports it. The Dockerfile names probe.js.',
    from: {
      orphan: true,
      pathNot: ['[.]d[.]ts$', '[.]config[.][jt]s$', '/assets/', '/migrations/', '^server/bin/probe[.]js$'],
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
  forbidden: [...packages, ...libraries, ...rooms, ...hygiene].map((rule) => ({ severity: 'error', ...rule })),
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
