/** The test files that run on each supported version of Postgres, as arguments of `npm test`. */

/**
 * All files that are about SQL. Other files, such as those of pages and the SDK, send no other statements, so they run
 * on the embedded version only.
 */
export const allTestFiles: readonly string[] = [
  'delivery',
  'money',
  'contract',
  // This file sends the same statements as others, a thousand times more.
  '!contract/generated-inputs.test.ts',
  'database',
  'operations',
  'statistics',
  'cli',
  // The other files of this folder start the embedded Postgres themselves.
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
 * The files that `.ci/run` runs on the oldest version, in a minute. Their statements, by the log of Postgres, are nine
 * of ten of those that the files about delivery, money and the contract send. The remaining statements are short, or
 * only tests send them.
 */
export const shortTestFiles: readonly string[] = Object.entries(shortFiles).flatMap(([folder, files]) =>
  files.map((file) => `${folder}/${file}.test.ts`),
);
