/** Ten codes for a user who lost the device that makes the others. Each works once. */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { WriteContext } from '../../context.ts';
import { newRecoveryCode } from '../../kit/ids.ts';
import type { DashboardUser } from './dashboard-user.entity.ts';
import { withoutGaps } from './two-step.ts';

const codeCount = 10;

/** Makes new ones and returns them: the only moment at which they can be read. Those from before are worth nothing any more. */
export async function replaceRecoveryCodes(context: WriteContext, user: DashboardUser): Promise<string[]> {
  await removeRecoveryCodes(context, user);
  const codes = Array.from({ length: codeCount }, newRecoveryCode);
  const rows = codes.map((code) => sql`(${user.id}, ${hash(user, code)})`);
  await sql`insert into recovery_code (user_id, hash) values ${sql.join(rows)}`.execute(context.em.getKysely());
  return codes;
}

export async function removeRecoveryCodes({ em }: WriteContext, { id }: DashboardUser): Promise<void> {
  await sql`delete from recovery_code where user_id = ${id}`.execute(em.getKysely());
}

/** Whether it was one of the user's; it is not any more. */
export async function useUpRecoveryCode({ em }: WriteContext, user: DashboardUser, code: string): Promise<boolean> {
  const found = sql`delete from recovery_code where user_id = ${user.id} and hash = ${hash(user, code)} returning 1`;
  return (await found.execute(em.getKysely())).rows.length > 0;
}

/** A plain SHA-256 is enough for 80 random bits: there is nothing to guess. */
function hash({ id }: DashboardUser, code: string): Buffer {
  return createHash('sha256')
    .update(`${id} ${withoutGaps(code)}`)
    .digest();
}
