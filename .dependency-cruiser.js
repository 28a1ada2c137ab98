import { allExtensions } from 'dependency-cruiser';
import { doors, layers, wiringDoors } from './server/layers.config.js';

// Without a compiler it can use, dependency-cruiser skips every .ts file and finds nothing wrong.
if (!allExtensions.some(({ extension, available }) => extension === '.ts' && available)) {
  throw new Error('dependency-cruiser finds no TypeScript compiler that it can use: run it with --info.');
}

const server = '^server/src/';
const routes = `${server}.*[.](operations|routes)[.]ts$`;
const jobs = `${server}.*[.]job[.]ts$`;
const entities = `${server}.*[.]entity[.]ts$`;
const views = `${server}.*[.]view[.]ts$`;
const transaction = `${server}database/transaction[.]ts$`;

/** Folders end with a slash. */
const placesIn = (names) =>
  names.map((name) => `${server}${name.replaceAll('.', '[.]')}${name.endsWith('/') ? '' : '$'}`);

const pattern = (file) => file.replaceAll('.', '[.]').replaceAll('*', '.+');
const filesOf = (rooms) =>
  Object.entries(rooms).map(([room, files]) => `${server}${room}/(${files.map(pattern).join('|')})[.]ts$`);

const installed = (...names) => `(^|/)node_modules/(${names.join('|')})/`;
const express = installed('express', '@types/express', 'express-[^/]+', 'helmet', 'cookie-parser');
const storage = installed('@mikro-orm/[^/]+', 'kysely', 'pg', 'mongodb');

const sdkDoors = '^sdk/(src/(index|session|webhooks)|generate/files)[.]ts$';
const refusals = 'beyond-schemas|credentials|fields|json-body|problems|sentences';
const openapiDoors = `^openapi/(index|check-schemas|refusals/(${refusals}))[.]ts$`;
const packageDoors = ['^$1/', openapiDoors, sdkDoors, '^(mock/src|test)/'];

const packages = [
  {
    name: 'nothing-imports-test',
    comment: 'Tests are the last to know: no package depends on them.',
    from: { pathNot: '^test/' },
    to: { path: '^test/' },
  },
  {
    name: 'openapi-imports-no-package',
    comment: 'The contract comes first; the packages are made from it.',
    from: { path: '^openapi/' },
    to: { path: '^(sdk|server|mock)/' },
  },
  {
    name: 'sdk-imports-no-server',
    comment: 'The SDK knows the contract, not the service behind it.',
    from: { path: '^sdk/' },
    to: { path: '^(server|mock)/' },
  },
  {
    name: 'sdk-takes-only-types-from-openapi',
    comment: 'A published SDK carries no code of the contract package.',
    from: { path: '^sdk/src/' },
    to: { path: '^openapi/', dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'mock-imports-no-server',
    comment: 'A stand-in for the service that used the service would agree with its mistakes.',
    from: { path: '^mock/' },
    to: { path: '^server/' },
  },
  {
    name: 'server-imports-no-sdk',
    comment: 'Signer and verifier are written apart and meet in one test vector.',
    from: { path: server, pathNot: `${server}(docs-portal|cli)/` },
    to: { path: '^(sdk|mock)/' },
  },
  {
    name: 'portal-and-cli-use-only-sdk-webhooks',
    comment: 'The portal and the command line verify as a merchant would, and take nothing else.',
    from: { path: `${server}(docs-portal|cli)/` },
    to: { path: '^(sdk|mock)/', pathNot: '^sdk/src/webhooks[.]ts$' },
  },
  {
    name: 'dashboard-knows-only-the-sdk',
    comment: 'The dashboard is a client like any other.',
    from: { path: '^server/dashboard/' },
    to: { path: '^(openapi/|mock/|server/src/)' },
  },
  {
    name: 'packages-through-doors',
    comment: 'A package is opened at its door. Tests may open any file of the mock, and the generator of the SDK.',
    from: { path: '^(openapi|sdk|server|mock|test)/' },
    to: { path: '^(openapi|sdk|mock)/', pathNot: packageDoors },
  },
  {
    name: 'packages-by-name',
    comment: 'Packages import each other by package name, never by a relative path.',
    from: { path: '^(openapi|sdk|server|mock)/' },
    to: { path: '^(openapi|sdk|mock)/', pathNot: '^$1/', dependencyTypes: ['local'] },
  },
];

const libraries = [
  {
    name: 'express-in-the-shell',
    comment: 'Only what faces HTTP knows express.',
    from: {
      path: server,
      pathNot: `${server}(app[.]ts$|http/|checkout-page/|docs-portal/|.*[.]routes[.]ts$)`,
    },
    to: { path: express },
  },
  {
    name: 'agenda-in-the-schedule',
    comment: 'Agenda is the clock, and one file reads it.',
    from: { path: server, pathNot: `${server}schedule[.]ts$` },
    to: { path: installed('agenda', '@agendajs/[^/]+') },
  },
  {
    name: 'prom-client-in-the-metrics',
    comment: 'The rooms count and time; one room knows in what form that is told.',
    from: { path: server, pathNot: `${server}metrics/` },
    to: { path: installed('prom-client') },
  },
  {
    name: 'undici-at-the-edge',
    comment: 'Only the sender and the processors speak to the outside.',
    from: { path: server, pathNot: [`${server}delivery/wire/`, `${server}processors/`] },
    to: { path: installed('undici') },
  },
];

const layerRules = layers.flatMap((layer, index) =>
  layer.map((name) => ({
    name: name.endsWith('/') ? `layers: ${name}` : 'layers',
    comment: 'Imports lead down: what stands in a layer knows neither what is above it nor what is beside it.',
    from: { path: placesIn([name]) },
    to: { path: placesIn([...layers.slice(0, index).flat(), ...layer.filter((other) => other !== name)]) },
  })),
);

const rooms = [
  ...layerRules,
  {
    name: 'every-file-in-a-layer',
    comment: 'A file that stands in no layer would be held to none.',
    from: { path: server, pathNot: placesIn(layers.flat()) },
    to: {},
  },
  {
    name: 'rooms-through-doors',
    comment: 'A room imports another room through its doors, which are listed by name.',
    from: { path: `${server}([^/]+)/` },
    to: { path: `${server}[^/]+/`, pathNot: [`${server}$1/`, ...filesOf(doors)] },
  },
  {
    name: 'wiring-through-doors',
    comment: 'What puts the product together lists operations, routes, jobs and entities, and starts what has to run.',
    from: { path: `${server}[^/]+[.]ts$` },
    to: { path: `${server}[^/]+/`, pathNot: [routes, jobs, entities, ...filesOf(doors), ...filesOf(wiringDoors)] },
  },
  {
    name: 'http-knows-two-rooms',
    comment:
      'What a request meets asks who is calling and notes what people do. It knows nothing of what operations do.',
    from: { path: `${server}http/` },
    to: { path: `${server}[^/]+/`, pathNot: `${server}(http|auth|audit|operation|database|kit)/` },
  },
  {
    name: 'contract-types-at-the-edge',
    comment: 'Services speak entities and plain values; the contract enters where it is answered.',
    from: {
      path: server,
      pathNot: [
        `${server}.*[.](operations|view)[.]ts$`,
        `${server}(delivery/wire/event-body|webhooks/subscription|kit/(errors|money|web-address)|app|main|tillhook)[.]ts$`,
        `${server}(http|operation|docs-portal)/`,
      ],
    },
    to: { path: '^openapi/' },
  },
  {
    name: 'entities-import-only-entities',
    comment: 'An entity is itself: no clock, no configuration, no service.',
    from: { path: entities },
    to: { path: server, pathNot: [entities, `${server}kit/`] },
  },
  {
    name: 'routes-never-touch-the-database',
    comment: 'A route passes input to a service and shows what comes back; a page decides when to commit.',
    from: { path: routes },
    to: { path: [`${server}database/`, storage], pathNot: transaction, dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'views-never-query',
    comment: 'A view turns what it is given into a contract value.',
    from: { path: views },
    to: { path: [`${server}database/`, storage], dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'transactions-at-entry-points',
    comment: 'A page, a processor webhook, a job and a command open transactions; what they call is inside one.',
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
    comment: 'Type-only imports count: two files that need each other are one idea.',
    from: {},
    to: { circular: true },
  },
  {
    name: 'no-orphans',
    comment: 'A file that imports nothing and that nothing imports is not part of the program.',
    from: { orphan: true, pathNot: ['[.]d[.]ts$', '[.]config[.][jt]s$', '/assets/', '/migrations/'] },
    to: {},
  },
  { name: 'no-unresolvable', comment: 'Every import leads somewhere.', from: {}, to: { couldNotResolve: true } },
  {
    name: 'no-undeclared',
    comment: 'A package declares what it imports.',
    from: {},
    to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
  },
  { name: 'no-deprecated', comment: 'Its authors have left it.', from: {}, to: { dependencyTypes: ['deprecated'] } },
  {
    name: 'names-that-say-something',
    comment: 'These names fit any file, so they describe none.',
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
    exclude: { path: '(^|/)(dist|[.]turbo)/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@tillhook/source', 'import', 'node', 'default', 'types'],
      mainFields: ['main', 'types'],
    },
  },
};
