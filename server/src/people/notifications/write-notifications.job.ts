import type { Context, WriteContext } from '../../context.ts';
import type { Mode } from '../../kit/mode.ts';
import type { NotificationKind } from '../../kit/notification-kinds.ts';
import { rowsOf } from '../../platform/database/statement.ts';
import { inBatches } from '../../platform/database/transaction.ts';
import { writeMail } from '../../platform/mail/mails.service.ts';
import { DashboardUser } from '../sessions/dashboard-user.entity.ts';
import type { NotificationValues } from './notification-mails.ts';
import type { DetailsOf } from './notification-words.ts';

/** Notifications of one kind in a batch are one mail to each person. */
const maxBatch = 10_000;
/** A mail shows at most this many notifications, and counts the others. */
const maxShown = 20;

interface Waiting {
  kind: NotificationKind;
  merchantId: string | null;
  mode: Mode;
  details: DetailsOf<NotificationKind>;
}

export async function writeNotifications(context: Context): Promise<void> {
  if (context.config.mail) await inBatches(context, writeBatch);
}

async function writeBatch(tx: WriteContext): Promise<boolean> {
  const waiting = await rowsOf<Waiting & { id: string }>(tx)`
    with next as (select id from notification order by id limit ${maxBatch} for update skip locked)
    delete from notification using next where notification.id = next.id
    returning notification.id, kind, merchant_id as "merchantId", mode, details`;
  waiting.sort((one, other) => (one.id < other.id ? -1 : 1));
  const groups = Map.groupBy(waiting, ({ kind, merchantId, mode, details }) =>
    [kind, merchantId, mode, 'event' in details && details.event].join(' '),
  );
  for (const [first, ...others] of groups.values()) if (first) await writeMails(tx, [first, ...others]);
  return waiting.length === maxBatch;
}

async function writeMails(tx: WriteContext, group: [Waiting, ...Waiting[]]): Promise<void> {
  const [{ kind, merchantId, mode }] = group;
  const details = group.slice(0, maxShown).map((each) => each.details);
  const where = merchantId === null ? { storedRole: 'operator' as const } : { merchant: merchantId };
  const users = await tx.em.find(DashboardUser, where, { populate: ['merchant'], orderBy: { id: 'asc' } });
  for (const user of users.filter((each) => each.wantsMails(kind))) {
    const values: NotificationValues = { userId: user.id, mode, details, count: group.length };
    await writeMail(tx, { kind, merchantId, recipient: user.email, values });
  }
}
