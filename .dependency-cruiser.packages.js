/** The rules between the packages. `.dependency-cruiser.js` has the rules within the server. */

const server = '^server/src/';
const sdkFiles = '^sdk/(src/(index|session|webhooks)|generate/files)[.]ts$';
const releases = 'changed-files|package-changelog|package-texts|plan';
const openapiFiles = `^openapi/(index|model/check-schemas|rules/[^/]+|generate/(client-generators|served-document)|release/(${releases}))[.]ts$`;
const publicFiles = ['^$1/', openapiFiles, sdkFiles, '^((developer|mock)/src|test|lab)/'];

/** The contents of each folder, from the top down. Each entry may import only itself and the entries below it. */
const orders = {
  'openapi/': ['index.ts', 'release/', 'generate/', 'rules/', 'model/', 'generated/'],
  'developer/src/': ['program.ts', 'commands/', 'terminal/', 'sending/'],
  'mock/src/': [
    'commands/',
    'api.ts',
    'service/',
    'pages/',
    'memory/',
    'examples/',
    'requests/',
    'receiver.ts',
    'receiver/',
    'listening.ts',
  ],
  'test/support/': [
    'run/',
    'first-hour/',
    'quick-start/',
    'tracing/',
    'schedule/',
    'processors/',
    'dashboard/',
    'pages/',
    'browser/',
    'calls/',
    'events/',
    'receivers/',
    'money/',
    'users/',
    'oidc/',
    'server/',
    'database/',
    'shared-fixtures.ts',
    'ops/',
    'images/',
    'mail/',
    'programs/',
    'network/',
    'collecting-stream.ts',
    'eventually.ts',
  ],
};
const patternsOf = (folder, places) => places.map((place) => `^${folder}${place.replace('.', '[.]')}`);

const order = [
  ...Object.entries(orders).flatMap(([folder, places]) =>
    places.slice(1).map((place, index) => ({
      name: place.endsWith('/') ? `order: ${folder}${place}` : 'order',
      comment: 'A folder or file imports from itself and from what `orders` prints below it.',
      from: { path: patternsOf(folder, [place]) },
      to: { path: patternsOf(folder, places.slice(0, index + 1)) },
    })),
  ),
  {
    name: 'every-file-in-the-order',
    comment: 'The rules of the order do not hold for a file that `orders` does not name.',
    from: {
      path: '^(openapi|developer/src|mock/src|test/support)/',
      pathNot: Object.entries(orders).flatMap(([folder, places]) => patternsOf(folder, places)),
    },
    to: {},
  },
];

export const packages = [
  ...order,
  {
    name: 'nothing-imports-test',
    comment: 'Tests may import every package. No package may import tests.',
    from: { pathNot: '^(test|lab)/' },
    to: { path: '^test/' },
  },
  {
    name: 'nothing-imports-lab',
    comment: 'The packages of the laboratory are installed only when one of its programs starts.',
    from: { pathNot: '^lab/' },
    to: { path: '^lab/' },
  },
  {
    name: 'unit-tests-need-no-service',
    comment: '`npm run test:fast` runs the files of `test/unit/`, which need no database, server or browser.',
    from: { path: '^test/unit/' },
    to: { path: '^test/support/(browser|database|server|run|shared-fixtures)', reachable: true },
  },
  {
    name: 'openapi-imports-no-package',
    comment: 'The packages depend on the contract, so the contract may import none of them.',
    from: { path: '^openapi/' },
    to: { path: '^(sdk|server|developer|mock)/' },
  },
  {
    name: 'sdk-imports-no-server',
    comment: 'The SDK depends on the contract only, not on the service or the mock.',
    from: { path: '^sdk/' },
    to: { path: '^(server|developer|mock)/' },
  },
  {
    name: 'sdk-takes-only-types-from-openapi',
    comment: 'The published SDK contains no code of the contract package.',
    from: { path: '^sdk/src/' },
    to: { path: '^openapi/', dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'mock-imports-no-server',
    comment: 'If the mock used code of the service, it would repeat the mistakes of the service.',
    from: { path: '^(developer|mock)/' },
    to: { path: '^server/' },
  },
  {
    name: 'developer-imports-no-mock',
    comment: 'The build of the mock bundles the commands, and the mock sends webhooks as `listen` does.',
    from: { path: '^developer/' },
    to: { path: '^mock/' },
  },
  {
    name: 'server-imports-no-sdk',
    comment: 'The signer of the server and the verifier of the SDK share no code. One test vector checks both.',
    from: { path: server, pathNot: `${server}cli/` },
    to: { path: '^(sdk|developer|mock)/' },
  },
  {
    name: 'docs-and-cli-use-only-sdk-webhooks',
    comment:
      'The documentation and the command line verify webhooks as a merchant does. They use nothing else of the SDK.',
    from: { path: ['^server/docs/', `${server}cli/`] },
    to: { path: '^(sdk|developer|mock)/', pathNot: '^sdk/src/webhooks[.]ts$' },
  },
  {
    name: 'server-imports-no-docs-and-dashboard',
    comment: 'They are built before the service starts, which hands out their files.',
    from: { path: server },
    to: { path: '^server/(docs|dashboard)/' },
  },
  {
    name: 'docs-use-kit-and-docs-of-the-server',
    comment: 'The documentation is made before a service runs. It shares the frame of all pages and the placeholders.',
    from: { path: '^server/docs/' },
    to: { path: server, pathNot: `${server}(kit|pages/docs)/` },
  },
  {
    name: 'dashboard-knows-only-the-sdk',
    comment: 'The dashboard uses the service through the SDK, as any other client does.',
    from: { path: '^server/dashboard/' },
    to: { path: '^(openapi/|developer/|mock/|server/src/)' },
  },
  {
    name: 'dashboard-kit-imports-no-module',
    comment:
      'The kit of the dashboard is below its modules. Only the kit itself, `app` and generated files are below them.',
    from: { path: '^server/dashboard/src/kit/' },
    to: { path: '^server/dashboard/src/', pathNot: '^server/dashboard/src/(kit|app|generated)/' },
  },
  {
    name: 'packages-through-public-files',
    comment:
      'Packages import each other through their public files. Tests may import any file of the commands, the mock and the SDK generator.',
    from: { path: '^(openapi|sdk|server|developer|mock|test|lab)/' },
    to: { path: '^(openapi|sdk|developer|mock)/', pathNot: publicFiles },
  },
  {
    name: 'packages-by-name',
    comment: 'Packages import each other by package name, never by a relative path.',
    from: { path: '^(openapi|sdk|server|developer|mock)/' },
    to: { path: '^(openapi|sdk|developer|mock)/', pathNot: '^$1/', dependencyTypes: ['local'] },
  },
];
