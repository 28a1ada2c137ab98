import { createHash, randomBytes } from 'node:crypto';
import type { TestServer } from '../server/tillhook.ts';

/** Creates a link as `requestPasswordReset` does, without the mail, and returns its token. */
export async function addResetLink(
  { database }: Pick<TestServer, 'database'>,
  email: string,
  { ageMinutes = 0 } = {},
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await database.query(
    'insert into password_reset (token_hash, email, created_at) values ($1, $2, now() - make_interval(mins => $3))',
    [createHash('sha256').update(token).digest(), email, ageMinutes],
  );
  return token;
}
