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
  contract: ['answers', 'idempotency', 'operator', 'sign-in-secrets'],
  delivery: ['event-feed', 'leases', 'recording', 'recurring-work', 'retention', 'time-travel'],
  money: ['ledger', 'live-refunds'],
  database: ['list-plans', 'prepared-statements'],
  operations: ['overview'],
  cli: ['deliveries'],
  restart: ['migrations'],
};

/**
 * What `.ci/run` runs on the oldest version, in a minute. The files were chosen by the log of Postgres: nine of ten
 * statements of the files about delivery, money and the contract are among theirs. The remaining statements are short,
 * or only tests send them.
 */
export const shortParts: readonly string[] = Object.entries(shortFiles).flatMap(([folder, files]) =>
  files.map((file) => `${folder}/${file}.test.ts`),
);
