/** The test files that run on each supported version of Postgres, as arguments of `npm test`. */

/** Everything that is about SQL. What sends no other SQL, such as pages and the SDK, runs on the embedded version only. */
export const everyPart: readonly string[] = [
  'delivery',
  'money',
  'contract',
  // Its requests send the statements of other files a thousand times more.
  '!contract/generated-inputs.test.ts',
  'database',
  'operations',
  'statistics',
  'cli',
  // The other files of this folder start the embedded Postgres themselves.
  'restart/migrations.test.ts',
];

const shortFiles = {
  contract: [
    'answers',
    'headers-and-audit',
    'idempotency',
    'interface-document',
    'isolation',
    'operator',
    'session',
    'sign-in-secrets',
  ],
  delivery: [
    'disabling',
    'event-feed',
    'leases',
    'promises',
    'recording',
    'recurring-work',
    'retention',
    'secret-rotation',
    'time-travel',
  ],
  money: ['ledger', 'ledger-check', 'live-refunds', 'manual-payouts', 'refunds', 'transfer-races', 'transfers'],
  database: ['list-plans', 'prepared-statements'],
  cli: ['deliveries', 'merchants-and-users'],
  restart: ['migrations'],
};

/**
 * What `.ci/run` runs on the oldest version, in one or two minutes. The files were chosen by the log of Postgres, because they
 * send most of the different statements of all files about delivery, money and the contract.
 */
export const shortParts: readonly string[] = Object.entries(shortFiles).flatMap(([folder, files]) =>
  files.map((file) => `${folder}/${file}.test.ts`),
);
