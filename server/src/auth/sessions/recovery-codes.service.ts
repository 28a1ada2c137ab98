/** Ten codes for a user who lost the device that makes the others. Each works once. */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { WriteContext } from '../../context.ts';
import { run } from '../../database/statement.ts';
import { newRecoveryCode } from '../../kit/ids.ts';
import type { DashboardUser } from './dashboard-user.entity.ts';
import { withoutGaps } from './two-step.ts';

const codeCount = 10;

/** Makes new ones and returns them: the only moment at which they can be read. Those from before are worth nothing any more. */
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

/** Whether it was one of the user's; it is not any more. */
export async function useUpRecoveryCode(tx: WriteContext, user: DashboardUser, code: string): Promise<boolean> {
  return (await run(tx)`delete from recovery_code where user_id = ${user.id} and hash = ${hash(user, code)}`) > 0;
}

/** A plain SHA-256 is enough for 80 random bits: there is nothing to guess. */
function hash({ id }: DashboardUser, code: string): Buffer {
  return createHash('sha256')
    .update(`${id} ${withoutGaps(code)}`)
    .digest();
}
