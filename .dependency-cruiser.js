import { allExtensions } from 'dependency-cruiser';

// Without a compiler it can use, dependency-cruiser skips every .ts file and finds nothing wrong.
if (!allExtensions.some(({ extension, available }) => extension === '.ts' && available)) {
  throw new Error('dependency-cruiser finds no TypeScript compiler that it can use: run it with --info.');
}

const server = '^server/src/';
const shellFiles = `${server}(app|main|tillhook|worker)[.]ts$`;
const shellRooms = `${server}(http|checkout-page|dashboard|cli)/`;
const routes = `${server}.*(/|[.])(operations|routes)[.]ts$`;
const jobs = `${server}.*[.]job[.]ts$`;
const entities = `${server}.*[.]entity[.]ts$`;
const views = `${server}.*[.]view[.]ts$`;
const transaction = `${server}database/transaction[.]ts$`;

/** What one room may open in another. */
const doors = [
  entities,
  `${server}.*[.]service[.]ts$`,
  `${server}delivery/(publish|dispatcher|deliver-now|bell)[.]ts$`,
  `${server}payments/(ask|get)-processor[.]ts$`,
  `${server}processors/port[.]ts$`,
  `${server}database/[^/]+[.]ts$`,
  `${server}kit/`,
];

const installed = (...names) => `(^|/)node_modules/(${names.join('|')})/`;
const express = installed('express', '@types/express', 'express-[^/]+', 'helmet', 'cookie-parser');
const storage = installed('@mikro-orm/[^/]+', 'kysely', 'pg', 'mongodb');

const sdkDoors = '^sdk/(src/(index|session|webhooks)|generate/files)[.]ts$';
const packageDoors = ['^$1/', '^openapi/(index|check-schemas)[.]ts$', sdkDoors, '^(mock/src|test)/'];

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
    name: 'agenda-in-the-worker',
    comment: 'Agenda is the clock, and one file reads it.',
    from: { path: server, pathNot: `${server}worker[.]ts$` },
    to: { path: installed('agenda', '@agendajs/[^/]+') },
  },
  {
    name: 'prom-client-in-the-instruments',
    comment: 'The rooms count and time; one file knows in what form that is told.',
    from: { path: server, pathNot: `${server}kit/instruments[.]ts$` },
    to: { path: installed('prom-client') },
  },
  {
    name: 'undici-at-the-edge',
    comment: 'Only the sender and the processors speak to the outside.',
    from: {
      path: server,
      pathNot: [`${server}delivery/(sender|(guarded|proxied)-agent)[.]ts$`, `${server}processors/`],
    },
    to: { path: installed('undici') },
  },
];

const rooms = [
  {
    name: 'contract-types-at-the-edge',
    comment: 'Services speak entities and plain values; the contract enters where it is answered.',
    from: {
      path: server,
      pathNot: [
        `${server}.*[.](operations|view)[.]ts$`,
        `${server}(delivery/event|kit/errors|app|main|tillhook)[.]ts$`,
        `${server}(http|docs-portal)/`,
      ],
    },
    to: { path: '^openapi/' },
  },
  {
    name: 'rooms-through-doors',
    comment: 'A room imports another room through its door or its entities.',
    from: { path: `${server}([^/]+)/`, pathNot: [shellRooms, entities] },
    to: { path: `${server}[^/]+/`, pathNot: [`${server}$1/`, `${server}http/`, ...doors] },
  },
  {
    name: 'shell-through-doors',
    comment: 'The shell may also open operations, routes, jobs, auth/ and the list of processors.',
    from: { path: [shellFiles, shellRooms] },
    to: {
      path: `${server}[^/]+/`,
      pathNot: [shellRooms, `${server}(auth/|docs-portal/|processors/processors[.]ts$)`, routes, jobs, ...doors],
    },
  },
  {
    name: 'nothing-imports-the-shell',
    comment: 'The shell is composed of rooms, not the other way round.',
    from: { path: `${server}[^/]+/`, pathNot: `${server}cli/` },
    to: { path: shellFiles },
  },
  {
    name: 'http-is-for-routes',
    comment: 'Services, entities, views and jobs do not know that HTTP exists.',
    from: {
      path: server,
      pathNot: [shellFiles, shellRooms, routes, `${server}(docs-portal/|auth/security[.]ts$|recurring-work[.]ts$)`],
    },
    to: { path: `${server}http/` },
  },
  {
    name: 'entities-import-only-entities',
    comment: 'An entity is itself: no clock, no configuration, no service.',
    from: { path: entities },
    to: { path: server, pathNot: [entities, `${server}(database/base[.]ts$|kit/)`] },
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
      path: `${server}(.*[.](operations|service|view)|delivery/(publish|claim|sender))[.]ts$`,
      pathNot: `${server}checkout-page/`,
    },
    to: { path: transaction, dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'kit-imports-no-room',
    comment: 'The kit and the configuration are importable by all because they import nobody.',
    from: { path: `${server}(kit/|config[.]ts$)` },
    to: { path: server, pathNot: `${server}(kit/|config[.]ts$)` },
  },
  {
    name: 'delivery-knows-no-payments',
    comment: 'Payments, transfers and wallets hand events to delivery, which asks nothing back.',
    from: { path: `${server}delivery/` },
    to: { path: `${server}(payments|transfers|wallets|checkout-page)/` },
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
