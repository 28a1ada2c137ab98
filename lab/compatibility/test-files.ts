export const allTestFiles: readonly string[] = [
  'delivery',
  'money',
  'contract',
  // `generated-inputs` sends the same statements as other files, but a thousand times as many.
  '!contract/generated-inputs.test.ts',
  'database',
  'operations',
  'statistics',
  'cli',
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

/** These files send nine of ten statements that the tests of delivery, money and the contract send. */
export const shortTestFiles: readonly string[] = Object.entries(shortFiles).flatMap(([folder, files]) =>
  files.map((file) => `${folder}/${file}.test.ts`),
);
