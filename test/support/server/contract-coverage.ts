import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { type OperationId, readContract } from '@tillhook/openapi';

/** Each test file runs in a separate process, so the returned statuses are recorded in a file. */
export function observe(operation: OperationId, status: number): void {
  const file = process.env.TEST_OBSERVED_FILE;
  if (file) appendFileSync(file, `${operation} ${status}\n`);
}

/** Returns 1 if one of the documented statuses other than 5xx was returned in no test. */
export function reportCoverage(file: string): number {
  const seen = new Set(existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []);
  const operations = readContract().model.operations.map(({ id, answers }) => ({
    id,
    statuses: [...answers.keys()].map(String).filter((status) => !status.startsWith('5')),
  }));
  console.log('\n  Contract coverage: every documented status of every operation');
  for (const { id, statuses } of operations) {
    const cells = statuses.map((status) => (seen.has(`${id} ${status}`) ? ` ${status} ` : `[${status}]`));
    console.log(`  ${id.padEnd(26)}${cells.join(' ')}`);
  }
  const missing = operations.flatMap(({ id, statuses }) =>
    statuses.map((status) => `${id} ${status}`).filter((pair) => !seen.has(pair)),
  );
  if (missing.length > 0) console.error(`\n  Documented and never seen: ${missing.join(', ')}`);
  return missing.length > 0 ? 1 : 0;
}
