import type { Context, WriteContext } from '../../context.ts';
import { isNotificationKind, type NotificationKind } from '../../kit/notification-kinds.ts';
import { run } from '../../platform/database/statement.ts';
import { DashboardUser } from '../sessions/dashboard-user.entity.ts';

/** Encrypted with the token, so that no other value that this service encrypts is a token. */
const purpose = 'unsubscribe';

/**
 * Choice: the token does not end, because people unsubscribe from old mails too. It can only switch off mails of one
 * kind to one person.
 */
export function unsubscribeUrl({ sealer, publicUrl }: Context, userId: string, kind: NotificationKind): string {
  const token = Buffer.from(sealer.seal(`${userId} ${kind}`, purpose)).toString('base64url');
  return `${publicUrl}/mails/unsubscribe?token=${token}`;
}

export interface Unsubscription {
  user: DashboardUser;
  kind: NotificationKind;
}

/** Returns null for an invalid token, and for the token of a removed user. */
export async function findUnsubscription(context: Context, token: string): Promise<Unsubscription | null> {
  const [userId = '', kind = ''] = opened(context, token)?.split(' ') ?? [];
  if (!isNotificationKind(kind)) return null;
  const user = await context.em.findOne(DashboardUser, { id: userId });
  return user && { user, kind };
}

function opened({ sealer }: Context, token: string): string | null {
  try {
    return sealer.open(Buffer.from(token, 'base64url').toString(), purpose);
  } catch {
    return null;
  }
}

export async function switchMailsOff(tx: WriteContext, { user, kind }: Unsubscription): Promise<void> {
  await run(tx)`
    update dashboard_user set mails_off = array_append(mails_off, ${kind}::text)
    where id = ${user.id} and not ${kind}::text = any(mails_off)`;
}
