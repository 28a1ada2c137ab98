import { randomUUID } from 'node:crypto';
import test from 'ava';

/** The address of a server with MongoDB's protocol. npm has none, so `.ci/run` builds one where Go is installed. */
const mongodbUrl = process.env.MONGODB_TEST_URL;

/**
 * Declares a test that needs MongoDB. Without an address the test is skipped, and `npm run test:all` says so in
 * capitals; with CI=true it then runs nothing.
 */
export const onMongodb = mongodbUrl ? test : test.skip;

/** Returns the address of an empty database for a schedule. */
export function freshStore(): string {
  const url = new URL(mongodbUrl ?? '');
  url.pathname = `/schedule_${randomUUID()}`;
  url.searchParams.set('serverSelectionTimeoutMS', '500');
  return url.href;
}
