import { randomUUID } from 'node:crypto';
import test from 'ava';

/** A server that speaks MongoDB's protocol. CI always has one; none comes from npm. */
export const mongodbUrl = process.env.MONGODB_TEST_URL;

/** The run says loudly that these are skipped where there is none. */
export const onMongodb = mongodbUrl ? test : test.skip;

/** An empty store for a schedule. */
export function freshStore(): string {
  const url = new URL(mongodbUrl ?? '');
  url.pathname = `/schedule_${randomUUID()}`;
  url.searchParams.set('serverSelectionTimeoutMS', '500');
  return url.href;
}
