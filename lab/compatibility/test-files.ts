/** The test files that run on each supported version of Postgres, as arguments of `npm test`. */

/**
 * All test files that are about SQL. Other test files, such as the tests of pages and of the SDK, send no other
 * statements, so they run only on the embedded version.
 */
export const allTestFiles: readonly string[] = [
  'delivery',
  'money',
  'contract',
  // This file is left out, because it sends the same statements as other files, but a thousand times more.
  '!contract/generated-inputs.test.ts',
  'database',
  'operations',
  'statistics',
  'cli',
  // All other files of this folder start the embedded Postgres themselves.
  'restart/migrations.test.ts',
];

const shortFiles = {
  contract: ['answers', 'idempotency', 'operator', 'sign-in-secrets'],
  delivery: ['event-feed', 'leases', 'recording', 'recurring-work', 'retention', 'time-travel'],
  money: ['ledger', 'live-refunds'],
  database: ['list-plans', 'prepared-statements'],
  operations: ['overview'],
  cli: ['deliveries'],
  restart: ['migrations'],
};

/**
 * The files that `.ci/run` runs on the oldest version, in a minute. According to the log of Postgres, these files send
 * nine of ten statements that the tests of delivery, money and the contract send. The remaining statements are short,
 * or only tests send them.
 */
export const shortTestFiles: readonly string[] = Object.entries(shortFiles).flatMap(([folder, files]) =>
  files.map((file) => `${folder}/${file}.test.ts`),
);
