/** Ten codes for a user who lost the device with the authenticator application. Each code works once. */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { WriteContext } from '../../context.ts';
import { newRecoveryCode } from '../../kit/ids.ts';
import { run } from '../../platform/database/statement.ts';
import type { DashboardUser } from './dashboard-user.entity.ts';
import { normaliseCode } from './two-step.ts';

const codeCount = 10;

/** Replaces the codes and returns the new ones. They cannot be read later. The old ones no longer work. */
export async function replaceRecoveryCodes(context: WriteContext, user: DashboardUser): Promise<string[]> {
  await removeRecoveryCodes(context, user);
  const codes = Array.from({ length: codeCount }, newRecoveryCode);
  const rows = codes.map((code) => sql`(${user.id}, ${hash(user, code)})`);
  await run(context)`insert into recovery_code (user_id, hash) values ${sql.join(rows)}`;
  return codes;
}

export async function removeRecoveryCodes(tx: WriteContext, { id }: DashboardUser): Promise<void> {
  await run(tx)`delete from recovery_code where user_id = ${id}`;
}

/** Deletes the code. True if it was an unused code of the user. */
export async function consumeRecoveryCode(tx: WriteContext, user: DashboardUser, code: string): Promise<boolean> {
  return (await run(tx)`delete from recovery_code where user_id = ${user.id} and hash = ${hash(user, code)}`) > 0;
}

/** A plain SHA-256 is enough, because a code has 80 random bits and cannot be guessed. */
function hash({ id }: DashboardUser, code: string): Buffer {
  return createHash('sha256')
    .update(`${id} ${normaliseCode(code)}`)
    .digest();
}
