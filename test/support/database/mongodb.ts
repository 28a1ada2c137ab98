import { randomUUID } from 'node:crypto';
import test from 'ava';

/** A server that speaks MongoDB's protocol. None comes from npm; `.ci/run` builds one where there is Go, and sets the address. */
const mongodbUrl = process.env.MONGODB_TEST_URL;

/** For what needs one. Without it these are skipped, and both `npm test` and `.ci/run` say so in capitals. */
export const onMongodb = mongodbUrl ? test : test.skip;

/** An empty store for a schedule. */
export function freshStore(): string {
  const url = new URL(mongodbUrl ?? '');
  url.pathname = `/schedule_${randomUUID()}`;
  url.searchParams.set('serverSelectionTimeoutMS', '500');
  return url.href;
}
